/**
 * A cluster under load, and everything that its clients were told: random traders at both gateways,
 * the operator, and a subscriber at each gateway. `conclude` compares all of it with the log.
 *
 * Invariant: what is acknowledged is in the journal of every node exactly once, and what was shown
 * is a state that the journal went through.
 */
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import { type Cluster, type ClusterOptions, startCluster } from '../../deploy/cluster/cluster.ts';
import type { ClusterNode } from '../../deploy/cluster/cluster-node.ts';
import { checkJournal, checkRetries, checkRunning, checkSwitches } from '../faults/checks.ts';
import { Clients } from '../faults/clients.ts';
import { verifyFolder } from '../faults/folder-tools.ts';
import { type Place, Scene } from '../faults/scene.ts';
import { Told } from '../faults/told.ts';
import { Witness } from '../faults/witness.ts';
import { sendTo } from '../http/exchange-fixture.ts';
import { Commenters } from './commenters.ts';
import { OwnReads } from './own-reads.ts';
import { PatientRequests } from './patient-requests.ts';
import { ReplayedSteps } from './replayed-steps.ts';
import { compareSteps, OwnerSubscriber, Subscriber } from './subscriber.ts';

const REQUEST_MS = 3_000;
const SAME_MS = 30_000;
const LOOK_MS = 50;
const EVENT_SETS = '200';
const WHO_AND_WHY = { by: 'cluster', reason: 'start' };
/** Traders send as fast as they can. Their dead man's switches trip before the last checks. */
const FLAGS = ['--log-level', 'info', '--rate-limits', 'off', '--snapshot-seconds', '5'];
const CORE_FLAGS = ['--heartbeat-window-seconds', '2'];

/** What a run with a fault comes to. */
export interface Verdict {
  readonly acknowledged: number;
  readonly answered: number;
  /** Tries that were answered 425, and those without any answer. */
  readonly refused: number;
  readonly cut: number;
  readonly longestMs: number;
  readonly comments: number;
  /** Orders that were read where they had just been acknowledged. */
  readonly ownReads: number;
  readonly streamMessages: number;
  readonly resumed: number;
  readonly seq: number;
  readonly stateHash: string;
  readonly nodes: number;
}

export class ClusterWorld {
  readonly cluster: Cluster;
  readonly scene: Scene;
  readonly requests: PatientRequests;
  readonly told = new Told();
  readonly subscribers: Subscriber[] = [];
  /** Of the same owner, one at each gateway. */
  readonly owners: OwnerSubscriber[] = [];
  readonly #places: readonly Place[];
  readonly #commenters: Commenters;
  readonly #ownReads: OwnReads;
  #witness: Witness | undefined;
  #clients: Clients | undefined;
  #loaded: Promise<void> = Promise.resolve();
  #runs = 0;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    const { adminToken, gateways } = cluster;
    this.#places = gateways.map(({ url, adminUrl }) => ({
      url,
      adminUrl,
      adminToken,
      limits: { timeoutMs: REQUEST_MS },
    }));
    this.requests = new PatientRequests(this.#places);
    this.scene = new Scene((attempt, trader) => this.requests.ask(attempt, trader));
    this.#commenters = new Commenters(this.scene);
    this.#ownReads = new OwnReads(this.scene, this.told, this.#places);
  }

  /** Starts a cluster and gives its traders keys, money and sets. */
  static async start(options: ClusterOptions): Promise<ClusterWorld> {
    const flags = [...FLAGS, ...(options.flags ?? [])];
    return await ClusterWorld.on(await startCluster({ ...options, flags, coreFlags: CORE_FLAGS }));
  }

  /** A world on a cluster that was started with such flags. */
  static async on(cluster: Cluster): Promise<ClusterWorld> {
    const world = new ClusterWorld(cluster);
    try {
      await world.#settle();
      return world;
    } catch (error) {
      await world.stop();
      throw error;
    }
  }

  async #settle(): Promise<void> {
    const { scene, cluster } = this;
    this.#moveTo(0);
    await scene.findMarkets();
    const { event, traders, markets, tokenIds, addresses } = scene;
    await this.operate(`/events/${event.eventId}/open`, {});
    for (const trader of traders) {
      const { status, text } = await trader.login();
      assert.equal(status, 200, text);
      for (const { conditionId: market } of event.markets) {
        const split = { market, amount: EVENT_SETS, key: `first-${market}` };
        const answer = await trader.signed('POST', '/sets/split', split);
        assert.equal(answer.status, 200, answer.text);
      }
    }
    this.#witness = new Witness(cluster.gateway(0).dataDir, {
      addresses,
      tokenIds: ['', ...tokenIds],
      conditionIds: markets.map(({ conditionId }) => conditionId),
    });
    this.#witness.catchUp();
    this.#witness.forget();
    const urls = cluster.gateways.map(({ url }) => url);
    this.subscribers.push(...urls.map((_, place) => new Subscriber(scene, urls, place)));
    const [trader] = scene.traders;
    assert.ok(trader !== undefined);
    this.owners.push(...urls.map((_, place) => new OwnerSubscriber(trader, urls, place)));
    await Promise.all([...this.subscribers, ...this.owners].map((one) => one.open()));
  }

  /** The final checks ask one gateway. */
  #moveTo(index: number): void {
    const place = this.#places[index];
    assert.ok(place !== undefined);
    Object.assign(this.scene.place, place);
  }

  /** An act of the operator at a gateway. */
  async operate(path: string, content: object): Promise<void> {
    const body = JSON.stringify({ ...WHO_AND_WHY, ...content });
    const { status, text } = await this.scene.ask(({ adminUrl, adminToken, limits }) => {
      const headers = { authorization: `Bearer ${adminToken}` };
      return sendTo(adminUrl, 'POST', path, { headers, body, ...limits });
    }, -1);
    assert.equal(status, 200, `${path}: ${text}`);
  }

  /** Lets clients trade until `calm`. */
  load(seed: number): void {
    this.#runs += 1;
    const name = `${Date.now()}-${this.#runs}`;
    this.#clients = new Clients(this.scene, this.told, { seed, name });
    this.#loaded = this.#clients.run();
    this.#loaded.catch(() => undefined);
    this.#commenters.run(name);
    this.#ownReads.run();
  }

  /** Waits until clients have got so many more acknowledgements. */
  async acknowledge(count: number, mostMs = 30_000): Promise<void> {
    const wanted = this.told.acknowledgedCount() + count;
    const lastMs = performance.now() + mostMs;
    while (this.told.acknowledgedCount() < wanted) {
      if (performance.now() > lastMs) {
        const got = this.told.acknowledgedCount() - wanted + count;
        throw new Error(`${got} of ${count} acknowledgements in ${mostMs} ms`);
      }
      await sleep(LOOK_MS);
    }
  }

  /** Whether no client gets an acknowledgement for some time. */
  async isQuiet(ms: number): Promise<boolean> {
    const before = this.told.acknowledgedCount();
    await sleep(ms);
    return this.told.acknowledgedCount() === before;
  }

  /** Starts a node again that has ended: a former core comes back as a standby. */
  async revive(node: ClusterNode): Promise<void> {
    node.start(node.role === 'gateway' ? 'gateway' : 'standby');
    await node.waitUntilReady();
  }

  /** Ends the load and waits for the requests in flight. */
  async calm(): Promise<void> {
    this.#clients?.stop();
    await Promise.all([this.#loaded, this.#commenters.stop(), this.#ownReads.stop()]);
  }

  /** Every node runs; ends the load, compares everything, and stops the cluster. */
  async conclude(): Promise<Verdict> {
    await this.calm();
    const { cluster, told, requests, scene } = this;
    const checked = this.#checked();
    checked.witness.catchUp();
    await checkSwitches(checked);
    const seq = await this.#sameSeq();
    await this.#checkStreams();
    checked.witness.catchUp();
    checkJournal(checked);
    for (const index of cluster.gateways.keys()) {
      this.#moveTo(index);
      requests.pin(index);
      await checkRunning(checked);
      await this.#commenters.check(scene.place);
    }
    requests.unpin();
    await checkRetries(checked);
    await this.#sameSeq();
    await cluster.stop();
    checked.witness.catchUp();
    const stateHash = checked.witness.stateHash;
    await this.#compareFolders(stateHash, checked.witness.seq);
    return {
      acknowledged: told.acknowledgedCount(),
      answered: told.answered,
      refused: requests.refused,
      cut: requests.cut,
      longestMs: Math.round(requests.longestMs),
      comments: this.#commenters.count,
      ownReads: this.#ownReads.read,
      streamMessages: this.#listeners.reduce((sum, { messages }) => sum + messages, 0),
      resumed: this.#listeners.reduce((sum, { resumed }) => sum + resumed, 0),
      seq,
      stateHash,
      nodes: cluster.nodes.length,
    };
  }

  /** All subscribers. */
  get #listeners(): readonly (Subscriber | OwnerSubscriber)[] {
    return [...this.subscribers, ...this.owners];
  }

  /** What subscribers were told is the same at each gateway, and in a replay of the journal. */
  async #checkStreams(): Promise<void> {
    for (const listener of this.#listeners) await listener.close();
    for (const [one, other] of [this.subscribers, this.owners]) {
      if (one !== undefined && other !== undefined) compareSteps(one, other);
    }
    const replayed = new ReplayedSteps();
    const markets = this.scene.markets.map(({ conditionId }) => conditionId);
    const owners = this.scene.traders.slice(0, 1).map(({ address }) => address.toLowerCase());
    await replayed.replay(this.cluster.gateway(0).dataDir, markets, owners);
    for (const { steps } of this.#listeners) steps.check(replayed);
  }

  #checked() {
    const witness = this.#witness;
    assert.ok(witness !== undefined);
    const clients = new Clients(this.scene, this.told, { seed: 0, name: `${Date.now()}-last` });
    return { scene: this.scene, witness, told: this.told, clients };
  }

  /** Waits until the journal of each node that runs ends with the same command. */
  async #sameSeq(): Promise<number> {
    const lastMs = performance.now() + SAME_MS;
    for (;;) {
      const ends = this.cluster.nodes.map((node) => ({ name: node.name, seq: lastSeq(node) }));
      const seqs = new Set(ends.map(({ seq }) => seq));
      if (seqs.size === 1) return ends[0]?.seq ?? 0;
      assert.ok(performance.now() < lastMs, `replicas stay apart: ${JSON.stringify(ends)}`);
      await sleep(LOOK_MS);
    }
  }

  /** The folders of all nodes have the same journal and pass `verify`. */
  async #compareFolders(stateHash: string, seq: number): Promise<void> {
    const digests = new Map<string, string[]>();
    const first = Math.max(...this.cluster.nodes.map(firstSeq));
    for (const node of this.cluster.nodes) {
      const digest = journalDigest(node, first);
      digests.set(digest, [...(digests.get(digest) ?? []), node.name]);
      await verifyFolder(node.dataDir);
    }
    assert.equal(digests.size, 1, `journals differ: ${JSON.stringify([...digests.values()])}`);
    assert.ok(stateHash !== '' && seq >= first);
  }

  async stop(): Promise<void> {
    this.#clients?.stop();
    this.requests.end();
    for (const listener of this.#listeners) await listener.close().catch(() => undefined);
    await Promise.allSettled([this.#loaded, this.#commenters.stop(), this.#ownReads.stop()]);
    await this.cluster.stop();
  }
}

function openJournal({ dataDir }: ClusterNode) {
  return new SqliteDatabase(join(dataDir, 'journal.db'), { readonly: true, timeout: 10_000 });
}

function lastSeq(node: ClusterNode): number {
  const journal = openJournal(node);
  try {
    // Safe: the column is a whole number.
    return journal.prepare('SELECT max(seq) FROM commands').pluck().get() as number;
  } finally {
    journal.close();
  }
}

function firstSeq(node: ClusterNode): number {
  const journal = openJournal(node);
  try {
    // Safe: the column is a whole number.
    return journal.prepare('SELECT min(seq) FROM commands').pluck().get() as number;
  } finally {
    journal.close();
  }
}

/** A digest of all commands from `first` on, with their times, evidence and fills. */
function journalDigest(node: ClusterNode, first: number): string {
  const journal = openJournal(node);
  try {
    const hash = createHash('sha256');
    for (const table of ['commands', 'fills']) {
      const rows = journal.prepare(`SELECT * FROM ${table} WHERE seq >= ? ORDER BY seq`).raw();
      for (const row of rows.iterate(first)) hash.update(JSON.stringify(row));
    }
    return hash.digest('hex');
  } finally {
    journal.close();
  }
}
