/**
 * What a log is: begun once, and checked by each node that joins. Invariant: a node with another
 * master secret, funding or log is refused before it changes anything.
 */
import { createHmac } from 'node:crypto';
import { StoreError } from '../../persistence/shared/index.ts';
import type { KeyValueStore } from './key-value-store.ts';
import type { LogKeys } from './log-keys.ts';
import { differs, type LogPlace, readTransaction } from './log-reading.ts';
import {
  decodeMeta,
  EMPTY_HEAD,
  encodeRecord,
  LOG_FORMAT,
  type LogMeta,
  NOTHING_PRUNED,
} from './log-records.ts';
import type { LogTerms } from './replicated-log.ts';

/** Enough of the HMAC to notice a wrong secret. */
const CHECK_DIGITS = 32;
/** Keys below the prefix that show whether something else uses it. */
const SHOWN_KEYS = 3;

/**
 * Returns the log's id. A log that does not exist is begun with the id `newLogId` if the terms
 * allow that. Rejects with NoAnswerError, `log_refused`, `log_differs` or `log_newer`.
 */
export async function joinLog(place: LogPlace, terms: LogTerms, newLogId: string): Promise<string> {
  const found = await readMeta(place);
  // One with this id was begun by an attempt whose answer was lost.
  const isOther = found !== undefined && found.logId !== newLogId;
  if (isOther && terms.mustCreate === true) throw existing(place.keys, found);
  const meta = found ?? (await beginLog(place, terms, newLogId));
  checkMeta(place.keys, meta, terms);
  return meta.logId;
}

function existing({ prefix }: LogKeys, { logId }: LogMeta): StoreError {
  return new StoreError(
    'log_refused',
    `--new-log begins a log where there is none, and below ${prefix} etcd has log ${logId}: ` +
      'start without --new-log to follow it, or choose another --etcd-prefix',
  );
}

async function readMeta(place: LogPlace): Promise<LogMeta | undefined> {
  const { keys, store } = place;
  const reads = [{ kind: 'get', key: keys.meta } as const, keys.all(SHOWN_KEYS)];
  const { found } = await store.transact(readTransaction(place, reads));
  const [meta, all = []] = found;
  const value = meta?.[0]?.value;
  if (value !== undefined) return decodeMeta(keys.meta, value);
  const foreign = all.find(({ key }) => key !== keys.look);
  if (foreign === undefined) return undefined;
  throw new StoreError(
    'log_refused',
    `below ${keys.prefix} etcd has keys of something else, such as ${foreign.key}: choose an ` +
      '--etcd-prefix that is this exchange’s alone',
  );
}

async function beginLog(place: LogPlace, terms: LogTerms, logId: string): Promise<LogMeta> {
  const { keys, store } = place;
  if (terms.logId !== undefined) {
    throw differs(`this node follows log ${terms.logId}, and etcd has none below ${keys.prefix}`);
  }
  if (!terms.mayCreate) {
    throw new StoreError(
      'log_refused',
      `etcd has no log below ${keys.prefix}: start the core first, or correct --etcd-prefix`,
    );
  }
  const secretCheck = secretCheckOf(terms.masterSecret, logId);
  const { funding, lastSeq: startSeq, lastChecksum: startChecksum } = terms;
  const meta = { format: LOG_FORMAT, logId, funding, secretCheck, startSeq, startChecksum };
  await beginOnce(store, keys, meta);
  // Another node may have begun it at the same time.
  const begun = await readMeta(place);
  if (begun === undefined) throw differs('the log in etcd vanished after it was begun');
  return begun;
}

async function beginOnce(store: KeyValueStore, keys: LogKeys, meta: LogMeta): Promise<void> {
  const head = { ...EMPTY_HEAD, lastSeq: meta.startSeq };
  await store.transact({
    compares: [{ kind: 'absent', key: keys.meta }],
    success: [
      { kind: 'put', key: keys.meta, value: encodeRecord(meta) },
      { kind: 'put', key: keys.head, value: encodeRecord(head) },
      { kind: 'put', key: keys.pruned, value: encodeRecord(NOTHING_PRUNED) },
    ],
    failure: [],
  });
}

function checkMeta(keys: LogKeys, meta: LogMeta, terms: LogTerms): void {
  if (terms.logId !== undefined && terms.logId !== meta.logId) {
    throw differs(`this node follows log ${terms.logId}, and ${keys.prefix} is log ${meta.logId}`);
  }
  if (meta.secretCheck !== secretCheckOf(terms.masterSecret, meta.logId)) {
    throw new StoreError(
      'log_refused',
      `the master secret is not that of the log below ${keys.prefix}: API keys would not be the ` +
        'same at all nodes. Give this node the secret of the core with --master-secret-file',
    );
  }
  if (meta.funding !== terms.funding) {
    throw new StoreError(
      'funding_changed',
      `the log below ${keys.prefix} was begun with --funding ${meta.funding}: start this node ` +
        'with the same',
    );
  }
  checkStart(keys, meta, terms);
}

/** A folder that never followed the log may have the commands before it, and no others. */
function checkStart({ prefix }: LogKeys, meta: LogMeta, terms: LogTerms): void {
  const { logId, lastSeq, lastChecksum } = terms;
  const { startSeq, startChecksum } = meta;
  const isOther = lastSeq === startSeq && lastChecksum !== startChecksum;
  if (logId !== undefined || (lastSeq <= startSeq && !isOther)) return;
  throw new StoreError(
    'log_refused',
    `the data folder ends at command ${lastSeq} and never followed the log below ${prefix}, ` +
      `which begins after command ${startSeq} of another folder: start this node with an empty ` +
      'folder',
  );
}

function secretCheckOf(masterSecret: Uint8Array, logId: string): string {
  const hmac = createHmac('sha256', masterSecret).update(`outcome-exchange log ${logId}`);
  return hmac.digest('hex').slice(0, CHECK_DIGITS);
}
