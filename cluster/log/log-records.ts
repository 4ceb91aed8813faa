/**
 * The small records of a log as they stand in the store: JSON of one object. Invariant: one that
 * lacks a field, or has one of a wrong type, is refused. Unknown fields, of newer programs, are
 * ignored.
 */
import type { Funding } from '../../persistence/journal/schema.ts';
import { programToStart, refuseNewer, StoreError } from '../../persistence/shared/index.ts';
import { LOG_START, type LogHolder, type LogPosition, type RegisteredNode } from './command-log.ts';

/** The format of all keys and values of a log. A newer one is refused. */
export const LOG_FORMAT = 1;

export interface LogMeta {
  readonly format: number;
  readonly logId: string;
  readonly funding: Funding;
  /** Tells whether a node has the same master secret, and nothing else about it. */
  readonly secretCheck: string;
  /** The last command before the log and its checksum in the journal; both 0 if there was none. */
  readonly startSeq: number;
  readonly startChecksum: number;
}

export interface LogHead extends LogPosition {
  readonly lastSeq: number;
  /** The bytes of all entries up to this one. */
  readonly bytes: number;
}

export interface LogPruned {
  /** Entries with smaller numbers are gone. */
  readonly below: number;
}

export const NO_HOLDER: LogHolder = {
  epoch: 0,
  node: '',
  feedAddress: '',
  program: '',
  rules: 0,
  claimId: '',
  hasResigned: false,
};

/** The head of a log that has no entry; `lastSeq` is the last command before the log began. */
export const EMPTY_HEAD: LogHead = { ...LOG_START, lastSeq: 0, bytes: 0 };
export const NOTHING_PRUNED: LogPruned = { below: 1 };

const RECORD_BYTES = 4_096;

export type LogReplica = Omit<RegisteredNode, 'node'>;

type StoredRecord = LogMeta | LogHead | LogPruned | LogHolder | LogReplica;

export function encodeRecord(record: StoredRecord): Buffer {
  return Buffer.from(JSON.stringify(record));
}

const META = {
  ...{ format: 0, logId: '', funding: '', secretCheck: '' },
  ...{ startSeq: 0, startChecksum: 0 },
};
const PRUNED = { below: 0 };
const REPLICA: LogReplica = { number: 0, check: '', feedAddress: '', isSought: false };

export function decodeMeta(key: string, value: Uint8Array): LogMeta {
  refuseNewer({
    code: 'log_newer',
    what: `${key} has format`,
    found: decode(key, value, { format: 0 }).format,
    known: LOG_FORMAT,
    advice: () => programToStart(undefined),
  });
  const { funding, ...meta } = decode(key, value, META);
  if (funding !== 'paper' && funding !== 'ledger') throw malformed(key);
  return { ...meta, funding };
}

export function decodeHolder(key: string, value: Uint8Array): LogHolder {
  return decode(key, value, NO_HOLDER);
}

export function decodeHead(key: string, value: Uint8Array): LogHead {
  return decode(key, value, EMPTY_HEAD);
}

export function decodePruned(key: string, value: Uint8Array): LogPruned {
  return decode(key, value, PRUNED);
}

export function decodeReplica(key: string, value: Uint8Array): LogReplica {
  return decode(key, value, REPLICA);
}

/** Returns the fields that `example` has, with the types that they have there. */
function decode<Fields extends object>(key: string, value: Uint8Array, example: Fields): Fields {
  const record = parse(key, value);
  const fields = Object.entries(example).map(([name, like]) => {
    const field: unknown = record[name];
    const isRight = typeof like === 'number' ? isCount(field) : typeof field === typeof like;
    if (!isRight) throw malformed(key);
    return [name, field];
  });
  // Safe: each field was compared with the example's.
  return Object.fromEntries(fields) as Fields;
}

function parse(key: string, value: Uint8Array): Readonly<Record<string, unknown>> {
  if (value.length > RECORD_BYTES) throw malformed(key);
  try {
    const record: unknown = JSON.parse(Buffer.from(value).toString());
    if (typeof record === 'object' && record !== null) return { ...record };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw malformed(key);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function malformed(key: string): StoreError {
  return new StoreError(
    'log_refused',
    `${key} in etcd is not a record of this program: something else writes there. Use an ` +
      '--etcd-prefix that is this exchange’s alone',
  );
}
