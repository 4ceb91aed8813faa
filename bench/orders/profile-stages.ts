/**
 * Where the processor time of one order goes: each stage of its way with the program's own
 * functions, on the same signed requests, one stage after the other in one thread of a process of
 * its own. Garbage collection counts.
 *
 * Invariant: each stage works on what the stage before it made, and every order is accepted.
 */
import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { type Command, Engine, isChange, micros, type PlaceOrder } from '../../engine/index.ts';
import { readAuthHeaders } from '../../http/api/header-names.ts';
import { parseJson } from '../../http/api/validate.ts';
import { KeyRing } from '../../http/auth/key-ring.ts';
import { authenticateL2 } from '../../http/auth/level-two.ts';
import { measure } from '../../http/orders/measure.ts';
import { evidenceOf } from '../../http/orders/order-evidence.ts';
import { resultOfEvents } from '../../http/orders/result.ts';
import { readSubmission, type Submission } from '../../http/orders/submission.ts';
import { DomainTable, domainSeparator } from '../../http/signing/domain-table.ts';
import { structHash } from '../../http/signing/order-hash.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { verifyOrder } from '../../http/signing/verify-order.ts';
import { Streams } from '../../http/streams/streams.ts';
import { BookViews } from '../../http/views/books.ts';
import { Registry } from '../../http/views/registry.ts';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { masterSecret } from '../../persistence/folder/secrets.ts';
import { openOrderIdIndex } from '../../persistence/index.ts';
import { BatchBuilder, type JournalBatch } from '../../persistence/journal/batch.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { replayStep } from '../../persistence/journal/recovery.ts';
import { JournalWriter, openJournal } from '../../persistence/journal/writer.ts';
import { ProjectorWork } from '../../persistence/projection/projector-work.ts';
import type { DurableCommand } from '../../persistence/shared/records.ts';
import { SnapshotMaker } from '../../persistence/snapshots/maker.ts';
import { TEST_SETTINGS } from '../../test/default-settings.ts';
import type { LoadRequest } from '../harness/closed-loop.ts';
import { collectGarbage, ownMicros } from '../harness/processor-time.ts';
import { domainOf } from '../harness/signing.ts';

export interface ProfileInput {
  /** The folder of the program that the requests were made for. The program has ended. */
  readonly dataDir: string;
  readonly requests: readonly LoadRequest[];
  /** How many of them only warm up. */
  readonly warmUp: number;
  /** Commands that are committed together. */
  readonly batchCommands: number;
  /** Orders that a verifier gets in one message. */
  readonly messageOrders: number;
}

export interface StageCost {
  readonly stage: string;
  /** The thread's name in the program's metrics. */
  readonly thread: string;
  /** Processor time an order. */
  readonly micros: number;
}

/** One order on its way. */
class Way {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  // Each stage fills in its own field, and later stages read it.
  parsed: unknown;
  submission!: Submission;
  owner!: string;
  orderId!: string;
  checkedSeq!: number;
  command!: PlaceOrder;
  durable!: DurableCommand;
  answer!: string;

  constructor({ headers, body }: LoadRequest) {
    this.headers = new Map(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.body = Buffer.from(body);
  }
}

const HEADER = { method: 'POST', paths: ['/order'] } as const;
const WINDOW_MS = 3_600_000;
/** How often a repeatable stage does the warm-up's orders before it is timed. */
const WARM_PASSES = 4;

type Work = (ways: readonly Way[], part: 'warm-up' | 'measured') => void;

class Profile {
  readonly costs: StageCost[] = [];
  readonly input: ProfileInput;
  /** The orders that only warm up. */
  readonly warm: readonly Way[];
  readonly #ways: readonly Way[];

  constructor(input: ProfileInput) {
    const ways = input.requests.map((request) => new Way(request));
    this.input = input;
    this.warm = ways.slice(0, input.warmUp);
    this.#ways = ways.slice(input.warmUp);
  }

  /** A stage that takes orders one by one. One that can be repeated warms up in several passes. */
  each(stage: string, thread: string, work: (way: Way) => void, passes = WARM_PASSES): void {
    for (let pass = 1; pass < passes; pass += 1) for (const way of this.warm) work(way);
    this.whole(stage, thread, (ways) => {
      for (const way of ways) work(way);
    });
  }

  /** A stage that takes so many orders together. */
  parts(stage: string, thread: string, size: number, work: (ways: readonly Way[]) => void): void {
    this.whole(stage, thread, (ways) => {
      for (let at = 0; at < ways.length; at += size) work(ways.slice(at, at + size));
    });
  }

  /** Warms a stage up and times it. */
  whole(stage: string, thread: string, work: Work): void {
    work(this.warm, 'warm-up');
    // Garbage of earlier stages is not this stage's.
    collectGarbage();
    const before = ownMicros();
    work(this.#ways, 'measured');
    this.add(stage, thread, ownMicros() - before);
  }

  add(stage: string, thread: string, totalMicros: number): void {
    this.costs.push({ stage, thread, micros: totalMicros / this.#ways.length });
  }
}

/** Replays a journal into an empty engine. */
function replayJournal(path: string, engine: Engine): DurableCommand[] {
  const journal = new JournalReader(path);
  const commands: DurableCommand[] = [];
  while (commands.length < journal.lastSeq) {
    const toSeq = journal.stepEnd(commands.length, journal.lastSeq);
    commands.push(...replayStep(engine, journal, commands.length, toSeq));
  }
  engine.rules = journal.rulesAt(journal.lastSeq + 1);
  journal.close();
  return commands;
}

/** What the program has in memory, as of the end of its journal. */
class Memory {
  readonly folder: DataFolder;
  readonly engine = new Engine();
  readonly registry = new Registry();
  readonly books = new BookViews();
  readonly streams: Streams;
  readonly keyRing: KeyRing;
  seq = 0;

  constructor(dataDir: string) {
    this.folder = new DataFolder({ dataDir, temporary: false });
    const { registry, books } = this;
    const monotonicMs = (): number => performance.now();
    this.streams = new Streams({ registry, books, now: Date.now, monotonicMs });
    const commands = replayJournal(this.folder.journal, this.engine);
    this.show(commands);
    this.seq = commands.length;
    this.keyRing = new KeyRing(masterSecret(this.folder, true), registry);
  }

  /** Shows durable commands to the views, as the matching thread does. */
  show(commands: readonly DurableCommand[]): void {
    this.registry.consume(commands);
    this.books.consume(commands);
    this.streams.consume(commands);
  }
}

function profileRequest(profile: Profile, { registry, keyRing }: Memory): void {
  profile.each('parse: body, JSON', 'matching', (way) => {
    way.parsed = parseJson(way.body.toString());
  });
  profile.each('parse: shape of the order', 'matching', (way) => {
    way.submission = readSubmission(way.parsed);
  });
  profile.each('HMAC, key and freshness', 'matching', (way) => {
    const headers = readAuthHeaders('l2', (name) => way.headers.get(name) ?? '');
    const request = { ...HEADER, body: way.body, nowMs: Date.now() };
    const options = { keyRing, windowMs: WINDOW_MS };
    way.owner = authenticateL2(headers, request, options).owner;
    registry.accountOwner(way.submission.order.maker);
  });
}

function profileVerifier(profile: Profile, { registry, folder }: Memory): void {
  const { messageOrders } = profile.input;
  const table = new DomainTable(TEST_SETTINGS.domains);
  const separators = [false, true].map((negRisk) => domainSeparator(domainOf(negRisk)));
  const isNegRisk = ({ submission }: Way): boolean =>
    registry.token(submission.order.tokenId)?.market.negRisk === true;
  const verificationOf = (way: Way) => ({
    order: way.submission.order,
    negRisk: isNegRisk(way),
    keyAddress: way.owner,
    makerOwner: registry.accountOwner(way.submission.order.maker),
  });
  profile.parts('message to the verifier, copied', 'messages', messageOrders, (ways) => {
    deserialize(serialize({ id: 1, verifications: ways.map(verificationOf) }));
  });
  profile.each('hash (EIP-712)', 'verifier', (way) => {
    const contents = structHash(way.submission.order);
    assert(contents.ok, 'a signed order can be hashed');
    typedDataDigest(separators[isNegRisk(way) ? 1 : 0]!, contents.hash);
  });
  const hashMicros = profile.costs.at(-1)?.micros ?? 0;
  profile.each('recovery of the signer', 'verifier', (way) => {
    const { order, ...context } = verificationOf(way);
    const verdict = verifyOrder(order, { domains: table, ...context });
    assert(verdict.ok, 'a signed order is good');
    way.orderId = verdict.orderHash;
  });
  // The program's own function hashes and recovers in one call.
  const both = profile.costs.pop();
  if (both !== undefined) profile.costs.push({ ...both, micros: both.micros - hashMicros });
  const orderIds = openOrderIdIndex({ path: folder.journal });
  profile.parts('look-up of the id', 'verifier', messageOrders, (ways) => {
    // With forgotten order 1: when the engine has forgotten no order, nothing is looked up.
    const found = orderIds.lookupAll(
      ways.map(({ orderId }) => orderId),
      1,
    );
    ways.forEach((way, index) => {
      way.checkedSeq = found[index]!.checkedSeq;
    });
  });
  orderIds.close();
  profile.parts('message with the verdicts, copied', 'messages', messageOrders, (ways) => {
    const verdicts = ways.map(({ orderId, checkedSeq }) => ({
      ok: true,
      orderId,
      domain: 0,
      lookup: { checkedSeq, known: undefined },
    }));
    deserialize(serialize({ id: 1, verdicts }));
  });
}

/** The command that intake makes of an order. */
function commandOf({ submission, orderId, owner, checkedSeq }: Way, registry: Registry) {
  const { order, type, postOnly, expirationSeconds } = submission;
  const token = registry.token(order.tokenId);
  assert(token !== undefined, 'an order is of a market that exists');
  const command: PlaceOrder = {
    kind: 'place_order',
    orderId,
    account: order.maker,
    owner,
    tokenId: order.tokenId,
    side: order.side === 0 ? 'BUY' : 'SELL',
    type,
    postOnly,
    ...measure(order, type, token.market.tickTicks),
    expiresAtMs: expirationSeconds * 1_000,
    minimumLeadMs: 0,
    idCheckedSeq: checkedSeq,
    opens: { wallet: 'eoa', paperMicros: micros(TEST_SETTINGS.paperMicros) },
    apiKey: submission.owner,
  };
  return command;
}

function profileEngine(profile: Profile, memory: Memory): void {
  const { engine, registry } = memory;
  profile.each('apply: amounts, command', 'matching', (way) => {
    way.command = commandOf(way, registry);
  });
  for (let pass = 1; pass < WARM_PASSES; pass += 1) {
    const spare = new Engine();
    replayJournal(memory.folder.journal, spare);
    for (const [index, { command }] of profile.warm.entries()) {
      spare.apply(memory.seq + 1 + index, Date.now(), command);
    }
  }
  const applyOne = (way: Way): void => {
    const seq = memory.seq + 1;
    const timeMs = Date.now();
    const command: Command = way.command;
    way.durable = { seq, timeMs, command, events: engine.apply(seq, timeMs, command) };
    memory.seq = seq;
  };
  profile.each('apply: engine', 'matching', applyOne, 1);
}

function profileJournal(profile: Profile, { folder }: Memory): void {
  const { batchCommands } = profile.input;
  const batches: JournalBatch[] = [];
  const domain = domainOf(false);
  profile.parts('journal: encode', 'matching', batchCommands, (ways) => {
    const builder = new BatchBuilder(ways[0]?.durable.seq ?? 0);
    for (const { durable, submission } of ways) {
      assert(durable.events.some(isChange), 'every order is accepted');
      builder.add(durable, evidenceOf(submission.order, domain));
    }
    batches.push(builder.build());
  });
  const perWay = 1 / batchCommands;
  const measured = batches.slice(Math.ceil(profile.input.warmUp * perWay));
  const others = batches.slice(0, batches.length - measured.length);
  profile.whole('message to the journal, copied', 'messages', (_, part) => {
    for (const batch of part === 'measured' ? measured : others) deserialize(serialize(batch));
  });
  const database = openJournal(folder.journal, false);
  const writer = new JournalWriter(database);
  let inserting = 0;
  const write = (batch: JournalBatch): void => {
    const began = ownMicros();
    writer.write(batch, () => {
      inserting += ownMicros() - began;
    });
  };
  for (const batch of others) write(batch);
  inserting = 0;
  const before = ownMicros();
  for (const batch of measured) write(batch);
  profile.add('journal: insert', 'journal', inserting);
  profile.add('journal: commit', 'journal', ownMicros() - before - inserting);
  database.close();
}

function profileAnswer(profile: Profile, memory: Memory): void {
  const { batchCommands } = profile.input;
  profile.parts('views of what is durable', 'matching', batchCommands, (ways) => {
    memory.show(ways.map(({ durable }) => durable));
  });
  profile.each('reply: result, JSON', 'matching', (way) => {
    const { orderId, side } = way.command;
    way.answer = JSON.stringify(resultOfEvents(orderId, side, way.durable));
  });
}

/** The work of projector and follower with the same orders. */
function profileFollowers(profile: Profile, { folder }: Memory, fromSeq: number): void {
  const { journal: journalPath, projection: projectionPath, snapshots } = folder;
  const lastSeq = fromSeq + profile.input.warmUp;
  // The projection starts from nothing.
  for (const path of [projectionPath, `${projectionPath}-wal`, `${projectionPath}-shm`]) {
    rmSync(path, { force: true });
  }
  const work = new ProjectorWork({ journalPath, projectionPath, snapshots, temporary: false });
  profile.whole('projector', 'projector', (ways, part) => {
    const toSeq = part === 'warm-up' ? lastSeq : lastSeq + ways.length;
    while (work.step(toSeq));
  });
  work.close();
  const reader = new JournalReader(journalPath);
  const engine = new Engine();
  const maker = new SnapshotMaker({ folder: snapshots, funding: 'paper', pace: { everyMs: 1e9 } });
  let seq = 0;
  profile.whole('follower', 'follower', (ways, part) => {
    const toSeq = part === 'warm-up' ? lastSeq : lastSeq + ways.length;
    while (seq < toSeq) {
      const end = reader.stepEnd(seq, toSeq);
      maker.consume(replayStep(engine, reader, seq, end));
      seq = end;
    }
  });
  reader.close();
}

export function profileStages(input: ProfileInput): StageCost[] {
  const profile = new Profile(input);
  const memory = new Memory(input.dataDir);
  const fromSeq = memory.seq;
  profileRequest(profile, memory);
  profileVerifier(profile, memory);
  profileEngine(profile, memory);
  profileJournal(profile, memory);
  profileAnswer(profile, memory);
  profileFollowers(profile, memory, fromSeq);
  memory.folder.release();
  return profile.costs;
}
