// The catalog of real nodes: through the log, the feed and the journal, at a takeover and after
// restarts.

import { readFileSync, writeFileSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import type { NewComment } from '../../catalog/model/index.ts';
import type { ClusterOptions } from '../../cluster/cluster.ts';
import { ClusterCatalog } from '../../cluster/content/cluster-catalog.ts';
import { FEED_BOUNDS } from '../../cluster/feed/frames.ts';
import { NodeContent } from '../../cluster/node-content.ts';
import { eventRecord, hex } from '../catalog/fixture.ts';
import { createMarket, until } from '../persistence/store-fixture.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { contentOf } from './content/content.ts';
import { fakeNode } from './fake-node.ts';
import { type AnyEvent, type NodeExchange, openNode } from './open-node.ts';
import { MemoryLogs } from './replica/memory-log.ts';

interface OpenNode {
  readonly exchange: NodeExchange;
  readonly path: string;
  readonly events: readonly AnyEvent[];
}

class Nodes {
  readonly #t: Test;
  readonly #logs = new MemoryLogs();
  readonly #folder: string;

  constructor(t: Test) {
    this.#t = t;
    this.#folder = temporaryFolder(t);
  }

  async open(role: ClusterOptions['role'], node: string): Promise<OpenNode> {
    const events: AnyEvent[] = [];
    const dataDir = `${this.#folder}/${node}`;
    const exchange = await openNode({
      dataDir,
      openLog: this.#logs.open,
      onEvent: (event) => events.push(event),
      cluster: { role, node },
    });
    this.#t.teardown(() => exchange.close());
    return { exchange, path: `${dataDir}/catalog.db`, events };
  }

  /** The first core, with two events. */
  async core(): Promise<OpenNode> {
    const core = await this.open('core', 'core');
    await core.exchange.catalog.write.importEvents([eventRecord(1), eventRecord(2)]);
    await core.exchange.catalog.found();
    return core;
  }
}

function comment(body: string): NewComment {
  const nowIso = '2026-03-01T00:00:00Z';
  const userAddress = `0x${'1'.repeat(40)}`;
  const parent = { type: 'Event', id: 1 } as const;
  return { parent, userAddress, body, key: '', sinceIso: '2026-02-01T00:00:00Z', nowIso };
}

/** Writes a comment again until there is a core, as clients do. */
async function commentUntilAnswered({ exchange }: OpenNode, body: string): Promise<void> {
  for (;;) {
    try {
      await exchange.catalog.write.comment(comment(body));
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'no_core')) throw error;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

function numberOf(path: string): number | undefined {
  const database = new SqliteDatabase(path, { readonly: true });
  const number = database.prepare<[], number>('SELECT number FROM content_state').pluck().get();
  database.close();
  return number;
}

async function sameContent(t: Test, one: OpenNode, other: OpenNode): Promise<void> {
  await until(() => numberOf(one.path) === numberOf(other.path));
  t.strictSame(contentOf(one.path), contentOf(other.path), 'both nodes have the same content');
}

t.test('comments reach all nodes, and survive a takeover and restarts', async (t) => {
  const nodes = new Nodes(t);
  const core = await nodes.core();
  const standby = await nodes.open('standby', 'standby');
  const gateway = await nodes.open('gateway', 'gateway');
  await gateway.exchange.catalog.write.comment(comment('first'));
  await core.exchange.catalog.write.comment(comment('at the core'));
  await sameContent(t, gateway, core);
  await sameContent(t, standby, core);
  // The record before it is there too if the catalog had not applied it when this one was written.
  await until(() => journaledIn(standby.path).at(-1) === 2);
  const told = () => gateway.events.filter(({ kind }) => kind === 'content_applied');
  await until(() => told().length > 0);
  t.match(told(), [{ applied: { kind: 'comment', result: { kind: 'answer' } } }]);

  await core.exchange.close();
  await commentUntilAnswered(gateway, 'after the takeover');
  t.equal(standby.exchange.cluster?.state, 'leading');
  await sameContent(t, standby, gateway);

  const second = await nodes.open('standby', 'core');
  await sameContent(t, second, standby);
  await gateway.exchange.close();
  await standby.exchange.catalog.write.comment(comment('while the gateway was down'));
  const again = await nodes.open('gateway', 'gateway');
  await sameContent(t, again, standby);
  t.equal(numberOf(again.path), 4);
});

t.test('a market that ends is closed in the catalog of each node, by one record', async (t) => {
  const nodes = new Nodes(t);
  const core = await nodes.core();
  const gateway = await nodes.open('gateway', 'gateway');
  const market = { conditionId: hex(1), tokenIds: ['1001', '1002'] as const };
  await gateway.exchange.submit({ ...createMarket, ...market });
  await gateway.exchange.submit({ kind: 'close_market', conditionId: hex(1) });
  await until(() => endedIn(gateway.path).length > 0);
  t.strictSame(endedIn(gateway.path), [hex(1)]);
  await sameContent(t, gateway, core);
  t.equal(numberOf(core.path), 1);
});

function endedIn(path: string): string[] {
  const database = new SqliteDatabase(path, { readonly: true });
  const sql = 'SELECT condition_id FROM ended_markets';
  const ended = database.prepare<[], string>(sql).pluck().all();
  database.close();
  return ended;
}

function journaledIn(path: string): number[] {
  const database = new SqliteDatabase(path.replace('catalog', 'journal'), { readonly: true });
  const numbers = database.prepare<[], number>('SELECT number FROM content_records').pluck().all();
  database.close();
  return numbers;
}

/** Bounds of this process, until the test ends: what a slow network does to a replica. */
function changeFeedBounds(t: Test, changes: Partial<Record<keyof typeof FEED_BOUNDS, number>>) {
  const before = { ...FEED_BOUNDS };
  Object.assign(FEED_BOUNDS, changes);
  t.teardown(() => Object.assign(FEED_BOUNDS, before));
}

// A slow replica gets commands from the core's journal, which once brought no word of the content
// of the same entries: a standby could take over without it, and gave its numbers a second time.
t.test('a standby that gets entries from the journal asks for their content', async (t) => {
  const nodes = new Nodes(t);
  const core = await nodes.core();
  const standby = await nodes.open('standby', 'standby');
  await core.exchange.catalog.write.comment(comment('first'));
  await sameContent(t, standby, core);
  changeFeedBounds(t, { recentBytes: 0, waitingBytes: -1 });
  await core.exchange.catalog.write.comment(comment('while the standby is slow'));
  const entry = core.exchange.cluster!.entryNumber;
  await until(() => placeIn(core.path) >= entry);
  t.equal(numberOf(standby.path), 1);
  changeFeedBounds(t, { waitingBytes: 4 * 1024 * 1024 });
  await sameContent(t, standby, core);
  t.equal(numberOf(standby.path), 2);
  t.same(journaledIn(standby.path), [1], 'it came from the core, and not with an entry');
});

// Each waited for the other for ever: a standby did not take over before it had heard of a core.
t.test('when all nodes were stopped, one of two standbys becomes the core', async (t) => {
  const nodes = new Nodes(t);
  const core = await nodes.core();
  const standby = await nodes.open('standby', 'standby');
  await core.exchange.catalog.write.comment(comment('before'));
  await sameContent(t, standby, core);
  await standby.exchange.close();
  await core.exchange.close();
  const both = await Promise.all([nodes.open('standby', 'standby'), nodes.open('standby', 'core')]);
  const states = both.map(({ exchange }) => exchange.cluster?.state);
  t.strictSame(states.toSorted(), ['following', 'leading']);
  const [one, other] = both;
  await one.exchange.catalog.write.comment(comment('after'));
  await sameContent(t, one, other);
});

// It stayed one for ever, and said nothing: it waited for a core to tell it what it lacked.
t.test('a standby that loses its core while it starts takes over', async (t) => {
  const nodes = new Nodes(t);
  const core = await nodes.core();
  const { answer } = ClusterCatalog.prototype;
  t.teardown(() => Object.assign(ClusterCatalog.prototype, { answer }));
  const asked = Promise.withResolvers<void>();
  let count = 0;
  ClusterCatalog.prototype.answer = function (kind, body) {
    if (kind === 'content_missed') count += 1;
    if (count < 2) return answer.call(this, kind, body);
    asked.resolve();
    return new Promise(() => undefined);
  };
  const opening = nodes.open('standby', 'standby');
  await asked.promise;
  await core.exchange.close();
  const standby = await opening;
  t.equal(standby.exchange.cluster.state, 'leading');
});

t.test('a node without a catalog may take over only if it may begin a cluster', async (t) => {
  const folder = temporaryFolder(t);
  const node = { ...fakeNode('standby'), appendContent: () => Promise.resolve() };
  for (const mayBegin of [false, true]) {
    const content = new NodeContent({
      mayBegin,
      onEvent: () => undefined,
      fail: (error) => t.fail(error.message),
    });
    content.join(node, { catalog: `${folder}/catalog.db`, journal: `${folder}/journal.db` });
    t.equal(content.hasAll(undefined), mayBegin);
  }
});

t.test('a core whose journal is ahead of its content does not start', async (t) => {
  const nodes = new Nodes(t);
  const core = await nodes.core();
  const standby = await nodes.open('standby', 'standby');
  await sameContent(t, standby, core);
  await standby.exchange.close();
  const catalog = readFileSync(standby.path);
  // The next core has nothing in memory that is older than its start.
  await core.exchange.catalog.write.comment(comment('while the standby is down'));
  await core.exchange.close();
  const again = await nodes.open('core', 'core');
  const behind = await nodes.open('standby', 'standby');
  await sameContent(t, behind, again);
  await behind.exchange.close();
  await again.exchange.close();
  // As if it had been killed when the journal was there, and before it asked for the content.
  writeFileSync(standby.path, catalog);
  await t.rejects(nodes.open('core', 'standby'), {
    code: 'log_refused',
    message: /lacks comments/,
  });
});

/** The last entry that a journal has; 0 for none. */
function placeIn(path: string): number {
  const database = new SqliteDatabase(path.replace('catalog', 'journal'), { readonly: true });
  const sql = "SELECT value FROM meta WHERE key = 'log_place'";
  const text = database.prepare<[], string>(sql).pluck().get();
  database.close();
  return text === undefined ? 0 : JSON.parse(text).number;
}
