/**
 * Makes a data folder for the restart's bench, in a process of its own that nobody needs
 * afterwards: a journal of many markets, accounts and orders, most of which rest, written in
 * batches as the sequencer would. Invariant: it is what an exchange would have written; the engine
 * that made it took each command. The journal is made in two pieces, so that a snapshot can be
 * made between them.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Command, Engine, lots, micros, ticks } from '../../engine/index.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { BatchBuilder } from '../../persistence/journal/batch.ts';
import { writePayload } from '../../persistence/journal/payload.ts';
import { commandChecksum, prepareJournal } from '../../persistence/journal/schema.ts';
import { JournalWriter, openJournal } from '../../persistence/journal/writer.ts';
import { SnapshotMaker } from '../../persistence/snapshots/maker.ts';
import { addressOf, apiKeyOf, evidenceOf, word } from '../harness/made-names.ts';
import { answerParent, childInput } from '../harness/measurement.ts';
import type { RestartProjectionData } from './projection.ts';

export interface RestartFolderInput {
  readonly dataDir: string;
  readonly markets: number;
  readonly accounts: number;
  readonly restingOrders: number;
  /** Orders that were cancelled again: two commands each. */
  readonly cancelledOrders: number;
  /** Commands after the snapshot. */
  readonly tailCommands: number;
}

export interface RestartFolderOutput {
  readonly commands: number;
  readonly snapshotSeq: number;
  readonly snapshotBytes: number;
  readonly snapshotMs: number;
}

const PAPER_MICROS = 1_000_000_000_000;
const CENTS = 49;
const BATCH = 4_096;

function tokenOf(market: number, outcome: number): string {
  return String(market * 2 + outcome + 1_000_000);
}

function* commandsOf(input: RestartFolderInput): Generator<Command> {
  for (let market = 0; market < input.markets; market += 1) {
    yield {
      kind: 'create_market',
      conditionId: word('market', market),
      tokenIds: [tokenOf(market, 0), tokenOf(market, 1)],
      tickTicks: ticks(100),
      minimumLots: lots(1),
      minimumBudgetMicros: micros(1),
      negRisk: false,
      eventId: `event-${market}`,
      selfTrade: 'cancel_maker',
    };
  }
  for (let account = 0; account < input.accounts; account += 1) {
    const address = addressOf(account);
    const paperMicros = micros(PAPER_MICROS);
    yield { kind: 'open_account', address, owner: address, wallet: 'eoa', paperMicros };
  }
  // In between, so that what rests is spread over the journal and over the store's records.
  let cancelled = 0;
  for (let order = 0; order < input.restingOrders; order += 1) {
    yield placed(input, order);
    while (cancelled * input.restingOrders < order * input.cancelledOrders) {
      const place = placed(input, input.restingOrders + cancelled);
      yield place;
      yield { kind: 'cancel_orders', owner: place.owner, orderIds: [place.orderId] };
      cancelled += 1;
    }
  }
}

/** BUYs of either outcome below the middle: nothing of it trades. */
function placed({ accounts, markets }: RestartFolderInput, order: number) {
  const account = order % accounts;
  // Coprime enough: each account is in many markets, and each market has many accounts.
  const market = (order * 7 + Math.floor(order / accounts)) % markets;
  return {
    kind: 'place_order',
    orderId: word('order', order),
    account: addressOf(account),
    owner: addressOf(account),
    tokenId: tokenOf(market, order % 2),
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks((1 + ((order * 31) % CENTS)) * 100),
    lots: lots(100 + (order % 900)),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 0,
    idCheckedSeq: Number.MAX_SAFE_INTEGER,
    apiKey: apiKeyOf(account),
  } as const satisfies Command;
}

/** Projects what comes while it is being written; resolves when the tables show all of it. */
function startProjection(folder: DataFolder, untilSeq: number): Promise<unknown> {
  const { journal: journalPath, projection: projectionPath, snapshots } = folder;
  const paths = { journalPath, projectionPath, snapshots, temporary: false };
  const workerData: RestartProjectionData = { ...paths, untilSeq };
  // Rejects when the thread throws.
  return once(new Worker(new URL('./projection.ts', import.meta.url), { workerData }), 'exit');
}

async function make(input: RestartFolderInput): Promise<RestartFolderOutput> {
  const folder = new DataFolder({ dataDir: input.dataDir, temporary: false });
  const database = openJournal(folder.journal, true);
  prepareJournal(database, { funding: 'paper', streamId: 'bench' }, () => undefined);
  const writer = new JournalWriter(database);
  const engine = new Engine({}, { reserveOrders: input.restingOrders });
  const pace = { everyMs: 0 };
  const maker = new SnapshotMaker({ folder: folder.snapshots, funding: 'paper', pace });
  const total = input.markets + input.accounts + input.restingOrders + 2 * input.cancelledOrders;
  const projected = startProjection(folder, total);
  let snapshot: ReturnType<SnapshotMaker['make']> | undefined;
  let seq = 0;
  let builder = new BatchBuilder(1);
  const beganMs = Date.now() - total;
  const flush = (): void => {
    const batch = builder.build();
    if (batch.payloads.length > 0) writer.write(batch, () => undefined);
    builder = new BatchBuilder(seq + 1);
  };
  for (const command of commandsOf(input)) {
    seq += 1;
    const timeMs = beganMs + seq;
    const events = engine.apply(seq, timeMs, command);
    const durable = { seq, timeMs, command, events };
    if (events.some(({ kind }) => kind === 'rejected')) {
      throw new Error(`command ${seq} was refused: ${JSON.stringify(events)}`);
    }
    builder.add(durable, evidenceOf(command));
    maker.consume([durable]);
    if (seq % BATCH === 0) flush();
    if (seq !== total - input.tailCommands) continue;
    const payload = writePayload(command, evidenceOf(command));
    const checksum = commandChecksum(seq, timeMs, command.kind, payload);
    snapshot = maker.make(
      engine,
      { seq, timeMs },
      {
        commandChecksum: checksum,
        deadlineMs: Number.POSITIVE_INFINITY,
      },
    );
  }
  flush();
  await projected;
  database.close();
  folder.release();
  if (snapshot === undefined) throw new Error(`${seq} commands were made, not ${total}`);
  return {
    commands: seq,
    snapshotSeq: snapshot.seq,
    snapshotBytes: snapshot.bytes,
    snapshotMs: snapshot.tookMs,
  };
}

answerParent(await make(childInput<RestartFolderInput>()));
