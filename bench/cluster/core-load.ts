/**
 * What an order costs the core alone. A connection of a replica sends orders as a gateway does and
 * applies nothing, so that the core and etcd have most of the processors. Gateways on the same
 * machine would take them: each spends more on an order than the core.
 */
import { strict as assert } from 'node:assert';
import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectFeed, FEED_FORMAT, type FeedClient } from '../../cluster/feed/index.ts';
import { answersIn, encodeHeard, framed } from '../../cluster/replica/submits.ts';
import { RULES_VERSION } from '../../engine/index.ts';
import { threadSeconds } from '../../persistence/index.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { PROGRAM_VERSION } from '../../persistence/shared/index.ts';
import { printProgress } from '../harness/print.ts';
import type { Venue } from './venue.ts';

const IN_FLIGHT = 2_000;
const WARM_UP_MS = 1_000;
/** So short that the accounts stay below their bound of live orders. */
const ROUND_MS = 1_500;

/** Where a packed order has its id. */
const ID_AT = 1;
const ID_BYTES = 32;
/** The form of a packed order in a frame. */
const ORDER_FORM = 1;

export interface CoreRound {
  readonly perSecond: number;
  readonly threadMicros: Readonly<Record<string, number>>;
  readonly micros: number;
}

/** Sends orders over one connection, with as many in flight as IN_FLIGHT. */
class OrderSource {
  readonly #orders: readonly Uint8Array[];
  #client: FeedClient | undefined;
  #heard: number;
  #lastId = 0;
  #waiting = 0;
  #willSend = false;
  #isOver = false;
  accepted = 0;
  refused = 0;

  constructor(orders: readonly Uint8Array[], heard: number) {
    this.#orders = orders;
    this.#heard = heard;
  }

  begin(client: FeedClient): void {
    this.#client = client;
    client.listen({
      onEntry: ({ number }) => {
        this.#heard = number;
      },
      onHistory: () => undefined,
      onPosition: ({ number }) => {
        this.#heard = number;
      },
      onTime: () => undefined,
      onSubmitted: (body) => this.#take(body),
      onEnd: (error) => assert.ok(this.#isOver, error.message),
    });
    this.#send();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    while (this.#waiting > 0) await sleep(10);
  }

  #take(body: Buffer): void {
    const answers = answersIn(body);
    this.#waiting -= answers.length;
    for (const { steps } of answers) {
      // What changed nothing comes with its events; an accepted order only has its seq.
      if (steps?.[0]?.length === 1) this.accepted += 1;
      else this.refused += 1;
    }
    if (this.#willSend || this.#isOver) return;
    this.#willSend = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    this.#willSend = false;
    const parts: Buffer[] = [];
    for (; this.#waiting < IN_FLIGHT; this.#waiting += 1) {
      this.#lastId += 1;
      const order = new Uint8Array(this.#orders[this.#lastId % this.#orders.length]!);
      randomFillSync(order, ID_AT, ID_BYTES);
      parts.push(framed(this.#lastId, ORDER_FORM, order));
    }
    if (parts.length > 0) this.#client?.submit(encodeHeard(this.#heard), ...parts);
  }
}

/** The orders in a journal, as gateways sent them. */
function ordersIn(journal: JournalReader): readonly Uint8Array[] {
  const orders: Uint8Array[] = [];
  for (let seq = 0; seq < journal.lastSeq; ) {
    const end = journal.stepEnd(seq, journal.lastSeq);
    for (const { kind, payload } of journal.commands(seq, end)) {
      if (kind === 'place_order' && typeof payload !== 'string') orders.push(payload);
    }
    seq = end;
  }
  return orders;
}

/** The standby makes the snapshots of the core, as in a cluster that has run for some minutes. */
async function makeSnapshot({ cluster }: Venue): Promise<void> {
  const leader = await cluster.leader();
  const headers = { authorization: `Bearer ${cluster.adminToken}` };
  for (const { adminUrl } of cluster.cores.filter((node) => node !== leader)) {
    const answer = await fetch(`${adminUrl}/snapshots`, { method: 'POST', headers });
    assert.ok(answer.ok, `${answer.url} answers ${answer.status}`);
  }
}

/** Some rounds, with what each thread of the core takes for an accepted order. */
export async function loadCore(venue: Venue, rounds: number): Promise<CoreRound[]> {
  const { cluster } = venue;
  printProgress(`cluster: ${IN_FLIGHT} in flight at the core alone`);
  await makeSnapshot(venue);
  const journal = new JournalReader(join(cluster.gateway(1).dataDir, 'journal.db'));
  const { lastSeq: seq, place } = journal.end();
  assert.ok(place !== undefined, 'a gateway has a place in the log');
  const orders = ordersIn(journal);
  const checksum = journal.checksumAt(seq) ?? 0;
  journal.close();
  const core = await cluster.leader();
  const { logId, number, check } = place;
  const source = new OrderSource(orders, number);
  const client = await connectFeed({
    address: core.feedAddress,
    secret: Buffer.from(readFileSync(join(cluster.folder, 'master.secret'), 'utf8').trim(), 'hex'),
    hello: {
      ...{ format: FEED_FORMAT, logId, node: 'load', role: 'gateway', program: PROGRAM_VERSION },
      ...{ rules: RULES_VERSION, position: { number, check }, seq, checksum },
    },
  });
  source.begin(client);
  await sleep(WARM_UP_MS);
  const found: CoreRound[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = threadSeconds(core.child.pid);
    const first = source.accepted;
    const startMs = performance.now();
    await sleep(ROUND_MS);
    const count = source.accepted - first;
    const tookMs = performance.now() - startMs;
    const threadMicros = [...threadSeconds(core.child.pid)].map(([name, spent]) => {
      return [name, ((spent - (before.get(name) ?? 0)) * 1e6) / count] as const;
    });
    found.push({
      perSecond: (1_000 * count) / tookMs,
      threadMicros: Object.fromEntries(threadMicros),
      micros: threadMicros.reduce((sum, [, micros]) => sum + micros, 0),
    });
  }
  await source.end();
  client.close(new Error('the benchmark has ended'));
  assert.ok(source.refused < source.accepted / 20, `${source.refused} orders were refused`);
  return found;
}
