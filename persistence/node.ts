/**
 * A node of a cluster: follows the core that the log names, takes over if it is a standby and the
 * log falls silent, and ends when another node takes over from it.
 *
 *     connecting -> following -> claiming -> leading -> deposed
 *          ^____________|___________|
 *
 * Invariants: commands are applied in the order of the log, once each; the node never goes back to
 * an older epoch; it leads only after it has applied every entry before its claim. A takeover opens
 * nothing again: it swaps the source of commands (docs/decisions/0090-replicas-and-the-feed.md).
 */

import { strict as assert } from 'node:assert';
import { type Engine, RULES_VERSION } from '../engine/index.ts';
import type { ClusterNode, ConnectedReplica, NodeState, RequestHandler } from './cluster.ts';
import {
  connectFeed,
  FEED_FORMAT,
  type FeedClient,
  FeedCore,
  type FeedHistory,
  type FeedTls,
  type HistoryCommands,
  type ReplicaHello,
} from './feed/index.ts';
import {
  commandChecksum,
  type JournalBatch,
  type JournalGroup,
  type JournalStart,
  StoredCommand,
} from './journal/index.ts';
import { Leader } from './leader.ts';
import {
  type EtcdStatus,
  LOG_START,
  type LogClaim,
  type LogEntry,
  type LogEvent,
  type LogHolder,
  type LogPosition,
  type LogView,
  monotonicMs,
  type ReplicatedLog,
} from './log/index.ts';
import { LogSilence } from './log-silence.ts';
import { JournalBehind, ReplicaSource } from './replica/index.ts';
import {
  type CommandSource,
  type DurableCommand,
  PROGRAM_VERSION,
  StoreError,
  type StoreObserver,
  toError,
} from './shared/index.ts';

const NODE_PACE = {
  /** The interval at which a node looks after its connection, or at the log if it has none. */
  tickMs: 250,
  /** How long after it heard of the core a replica shows its state, and keeps its connection. */
  currentMs: 1_500,
  /** A standby that has not heard of the core for so long looks at the log itself. */
  lookMs: 600,
  /** The silence of the log after which a standby takes over. */
  silentMs: 1_500,
  /** A look at the log that took longer does not count. */
  slowLookMs: 500,
  /** The interval at which a core or standby notes in the log what it has synced. */
  keepMs: 2_000,
} as const;

export interface NodeOptions {
  readonly role: 'core' | 'gateway' | 'standby';
  readonly node: string;
  readonly feedAddress: string;
  readonly secret: Uint8Array;
  readonly tls?: FeedTls | undefined;
  readonly engine: Engine;
  /** What the journal has. */
  readonly opened: JournalStart;
  /** The checksum of its last command; 0 if it has none. */
  readonly lastChecksum: number;
  readonly log: ReplicatedLog;
  readonly history: FeedHistory;
  readonly writeJournal: (group: JournalGroup) => void;
  readonly now: () => number;
  readonly observer?: StoreObserver | undefined;
  /** From now on commands come from there. */
  readonly onSource: (source: CommandSource) => void;
  readonly onState: (state: NodeState, epoch: number) => void;
  readonly onSealed: (commands: readonly DurableCommand[]) => void;
  readonly onDurable: (commands: readonly DurableCommand[]) => void;
  /** The journal has everything up to there. */
  readonly onJournaled: (seq: number) => void;
  /** Content of an entry that was committed; the journal gets it with the commands. */
  readonly onContent: (content: readonly string[]) => void;
  /** The last content record that the catalog has applied. */
  readonly appliedContent: () => number;
  /** Whether this node has all content, without which it must not take over. */
  readonly hasAllContent: () => boolean;
  /** Something is wrong, and the node goes on. */
  readonly onTrouble: (error: Error) => void;
  /** Called once: the process must end. */
  readonly onFatal: (error: Error) => void;
}

export class Node implements ClusterNode {
  readonly node: string;
  readonly #options: NodeOptions;
  readonly #source: ReplicaSource;
  readonly #journal: JournalBehind;
  readonly #silence = new LogSilence({
    silentMs: NODE_PACE.silentMs,
    slowMs: NODE_PACE.slowLookMs,
  });
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #ready = Promise.withResolvers<void>();
  #state: NodeState = 'connecting';
  /** The newest holder that this node knows. */
  #holder: LogHolder | undefined;
  /** What is applied. */
  #position: LogPosition;
  /** The content of the entry that is being applied. */
  #content: readonly string[] = [];
  /** What the journal has. */
  #journaled: LogPosition;
  /** The rules of the last commands. */
  #rules: { readonly epoch: number; readonly rules: number } = { epoch: 0, rules: 0 };
  #client: FeedClient | undefined;
  #isConnecting = false;
  #leader: Leader | undefined;
  #feed: FeedCore | undefined;
  /** What the log reported before this node had applied the entries before its claim. */
  #early: Extract<LogEvent, { kind: 'committed' | 'beat' }>[] = [];
  /** The newest entry at the first look of a core. */
  #firstNumber: number | undefined;
  #isTicking = false;
  #keptMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #trouble = '';

  constructor(options: NodeOptions) {
    const { opened, engine } = options;
    this.#options = options;
    this.node = options.node;
    this.#position = opened.place ?? LOG_START;
    this.#journaled = this.#position;
    this.#journal = new JournalBehind({
      post: options.writeJournal,
      appliedContent: options.appliedContent,
      onWritten: (place, seq) => this.#noteJournaled(place, seq),
      onRoom: () => {
        this.#leader?.resume();
        this.#client?.resume();
      },
    });
    this.#source = new ReplicaSource({
      engine,
      lastSeq: opened.lastSeq,
      lastTimeMs: opened.lastTimeMs,
      lastChecksum: options.lastChecksum,
      checkCurrent: () => this.#checkCurrent(),
      heardNumber: () => this.#position.number,
      onBatch: (commands, batch) => this.#takeBatch(commands, batch),
      onFatal: options.onFatal,
    });
    options.onSource(this.#source);
  }

  get state(): NodeState {
    return this.#state;
  }

  get epoch(): number {
    return this.#holder?.epoch ?? 0;
  }

  get isCurrent(): boolean {
    if (this.#state === 'leading') return this.#leader?.isCurrent === true;
    return this.#state === 'following' && this.silenceMs < NODE_PACE.currentMs;
  }

  get silenceMs(): number {
    if (this.#leader !== undefined) return this.#leader.silenceMs;
    const atMs = this.#client?.currentAtMs ?? Number.NEGATIVE_INFINITY;
    return monotonicMs() - atMs;
  }

  get core(): ClusterNode['core'] {
    if (this.#state !== 'leading' && this.#state !== 'following') return undefined;
    return this.#holder;
  }

  get entryNumber(): number {
    return this.#position.number;
  }

  get heardSeq(): number {
    return this.#leader?.sequencer.durableSeq ?? this.#source.appliedSeq;
  }

  get replicas(): readonly ConnectedReplica[] {
    return this.#feed?.replicas ?? [];
  }

  /** The feed of this node if it is the core. */
  get feed(): FeedCore | undefined {
    return this.#state === 'leading' && !this.#isClosed ? this.#feed : undefined;
  }

  etcdStatus(): Promise<EtcdStatus> {
    return this.#options.log.status();
  }

  request(kind: string, body: Buffer): Promise<Buffer> {
    if (this.#state === 'following' && this.#client !== undefined) {
      return this.#client.request(kind, body);
    }
    const handler = this.#state === 'leading' ? this.#handlers.get(kind) : undefined;
    if (handler === undefined) return Promise.reject(noCore('there is none now'));
    const { node } = this;
    return handler(body, {
      node,
      role: 'standby',
      entry: this.#journaled.number,
      seq: this.heardSeq,
    });
  }

  handle(kind: string, handler: RequestHandler): void {
    assert(!this.#handlers.has(kind), `requests of ${kind} have one handler`);
    this.#handlers.set(kind, handler);
  }

  /** Puts records of the catalog into the next entries, at the core. */
  appendContent(content: readonly string[]): Promise<void> {
    if (this.#leader === undefined) return Promise.reject(noCore('this node is not the core'));
    return this.#leader.appendContent(content);
  }

  /** Begins. Resolves when the node has all of the log, or leads. */
  start(): Promise<void> {
    this.#timer = setInterval(() => this.#tick(), NODE_PACE.tickMs);
    this.#tick();
    return this.#ready.promise;
  }

  /** The journal's thread has written what it was given last. */
  journalCommitted(seq: number): void {
    this.#journal.committed(seq);
  }

  takeLogEvent(event: LogEvent): void {
    switch (event.kind) {
      case 'committed':
      case 'beat':
        if (this.#leader === undefined) this.#early.push(event);
        else this.#leader.take(event);
        return;
      case 'deposed':
        this.#fail(deposed(event.by));
        return;
      case 'failed':
        this.#fail(event.error);
        return;
      case 'outage':
        this.#report(new StoreError('log_unavailable', event.message));
        return;
      case 'answering':
        this.#trouble = '';
        return;
    }
  }

  /** Ends with an error: another node leads, or a part failed. */
  fail(error: Error): void {
    this.#fail(error);
  }

  /** Call it when the source of commands is drained. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const error = new StoreError('stopping', 'the node is stopping');
    this.#client?.close(error);
    this.#feed?.close(error);
    this.#ready.reject(error);
    await this.#journal.drain();
  }

  #setState(state: NodeState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onState(state, this.epoch);
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    const isDeposed = error instanceof StoreError && error.code === 'deposed';
    if (isDeposed) this.#setState('deposed');
    this.#feed?.close(error);
    this.#client?.close(error);
    this.#ready.reject(error);
    if (this.#leader === undefined) this.#source.fail(error);
    else this.#leader.sequencer.fail(error);
  }

  #report(error: Error): void {
    if (this.#trouble === error.message) return;
    this.#trouble = error.message;
    this.#options.onTrouble(error);
  }

  #checkCurrent(): void {
    if (this.isCurrent) return;
    throw noCore('there is none now, or it has not been heard for 1.5 seconds');
  }

  #tick(): void {
    if (this.#isTicking || this.#isClosed || this.#state === 'claiming') return;
    this.#isTicking = true;
    this.#step()
      .catch((error: unknown) => this.#fail(toError(error)))
      .finally(() => {
        this.#isTicking = false;
      });
  }

  async #step(): Promise<void> {
    await this.#keep();
    if (this.#leader !== undefined) return;
    const client = this.#client;
    if (client !== undefined && client.silenceMs >= NODE_PACE.currentMs) {
      client.close(noCore('it has not been heard for 1.5 seconds'));
    } else if (this.silenceMs < NODE_PACE.lookMs) {
      this.#silence.reset();
      this.#ready.resolve();
      return;
    }
    const startedMs = monotonicMs();
    const view = await this.#look();
    if (view === undefined || this.#isClosed) {
      this.#silence.reset();
      return;
    }
    this.#holder = view.holder;
    if (this.#isToClaim(view, startedMs)) await this.#takeOver(view);
    else if (this.#options.role !== 'core') this.#connect(view.holder);
  }

  /** Registers this node, so that the log keeps what it needs to take over. */
  async #keep(): Promise<void> {
    const nowMs = monotonicMs();
    if (this.#options.role === 'gateway' || nowMs - this.#keptMs < NODE_PACE.keepMs) return;
    this.#keptMs = nowMs;
    try {
      await this.#options.log.keepFor(this.#journaled);
    } catch (error) {
      this.#endure(error);
    }
  }

  async #look(): Promise<LogView | undefined> {
    try {
      return await this.#options.log.look(this.#position);
    } catch (error) {
      this.#endure(error);
      return undefined;
    }
  }

  /** etcd will answer again; everything else is final. */
  #endure(error: unknown): void {
    if (!(error instanceof StoreError && error.code === 'log_unavailable')) throw error;
    this.#report(error);
  }

  #isToClaim({ holder, head }: LogView, startedMs: number): boolean {
    const { role } = this.#options;
    if (role === 'gateway') return false;
    if (holder.epoch === 0) return role === 'core';
    const isSilent = this.#silence.note(head.number, startedMs, monotonicMs());
    if (role === 'core') this.#checkSilent(holder, head);
    if (!isSilent || this.#options.hasAllContent()) return isSilent;
    if (role === 'standby') return false;
    throw new StoreError(
      'log_refused',
      'the catalog of this node lacks comments or other content that the log has, because the ' +
        'node stopped before it had copied them: start another node with --role core, and this ' +
        'one with --role standby',
    );
  }

  /** A core starts only while no other one is alive. */
  #checkSilent(holder: LogHolder, { number }: LogPosition): void {
    this.#firstNumber ??= number;
    if (number === this.#firstNumber) return;
    throw new StoreError(
      'log_refused',
      `the node ${holder.node} is the core of this cluster, and it is alive: start this node with ` +
        '--role standby, or stop that one first',
    );
  }

  #connect(holder: LogHolder): void {
    if (this.#client !== undefined && this.#client.welcome.epoch < holder.epoch) {
      this.#client.close(noCore(`the node ${holder.node} has taken over`));
    }
    if (this.#client !== undefined || this.#isConnecting || holder.epoch === 0) return;
    this.#isConnecting = true;
    const { secret, tls } = this.#options;
    connectFeed({ address: holder.feedAddress, secret, tls, hello: this.#hello() })
      .then(
        (client) => this.#follow(client),
        (error: unknown) => this.#refused(toError(error)),
      )
      .finally(() => {
        this.#isConnecting = false;
      });
  }

  #hello(): ReplicaHello {
    const { role, log } = this.#options;
    return {
      format: FEED_FORMAT,
      logId: log.logId,
      node: this.node,
      role: role === 'gateway' ? 'gateway' : 'standby',
      program: PROGRAM_VERSION,
      rules: RULES_VERSION,
      position: { number: this.#position.number, check: this.#position.check },
      seq: this.#source.appliedSeq,
      checksum: this.#source.lastChecksum,
    };
  }

  #refused(error: Error): void {
    const isPassing = error instanceof StoreError && PASSING.has(error.code);
    if (isPassing) this.#report(error);
    else this.#fail(error);
  }

  #follow(client: FeedClient): void {
    const { epoch, node } = client.welcome;
    if (this.#isClosed || this.#state === 'claiming' || epoch < this.epoch) {
      client.close(noCore(`the node ${node} is the core of an older epoch`));
      return;
    }
    this.#client = client;
    this.#trouble = '';
    this.#source.connect(client);
    this.#setState('following');
    client.listen({
      onEntry: (entry) => this.#takeEntry(client, entry),
      onHistory: (commands) => this.#takeHistory(commands),
      onPosition: (position) => this.#takePosition(position),
      onSubmitted: (body) => this.#source.takeAnswers(body),
      onEnd: (error) => this.#lose(error),
    });
  }

  #lose(error: Error): void {
    this.#client = undefined;
    this.#source.disconnect(noCore(error.message));
    if (this.#isClosed) return;
    if (this.#state === 'following') this.#setState('connecting');
    this.#refused(error instanceof StoreError ? error : noCore(error.message));
    this.#tick();
  }

  #takeEntry(client: FeedClient, entry: LogEntry): void {
    const { number, check } = this.#position;
    if (entry.number !== number + 1 || entry.previous !== check) {
      const what = `entry ${entry.number} does not continue entry ${number} of this node`;
      client.close(noCore(what));
      return;
    }
    this.#apply(entry, client.welcome.rules);
    if (this.#journal.isFull) client.pause();
  }

  #takeHistory(commands: HistoryCommands): void {
    this.#useRules(commands.rules, this.epoch);
    this.#source.apply(loggedIn(commands, this.#source.appliedSeq, commands.ends));
    if (this.#journal.isFull) this.#client?.pause();
  }

  #takePosition({ number, check }: LogPosition): void {
    this.#position = { number, check };
    this.#addToJournal(undefined);
  }

  /** What this node has applied, and the content of the same entry. */
  #addToJournal(batch: JournalBatch | undefined, content: readonly string[] = []): void {
    const { rules } = this.#rules;
    this.#journal.add({ batch, content, rules, place: this.#place });
  }

  get #place() {
    const { number, check } = this.#position;
    return { logId: this.#options.log.logId, number, check };
  }

  #useRules(rules: number, epoch: number): void {
    this.#rules = { epoch, rules };
    this.#options.engine.rules = rules;
  }

  #apply(entry: LogEntry, rules: number): void {
    this.#useRules(rules, entry.epoch);
    this.#position = { number: entry.number, check: entry.check };
    const { appliedSeq } = this.#source;
    this.#content = entry.content;
    this.#source.apply(loggedIn(entry, appliedSeq));
    if (this.#source.appliedSeq === appliedSeq) this.#addToJournal(undefined, this.#content);
    this.#content = [];
    this.#options.onContent(entry.content);
  }

  #takeBatch(commands: readonly DurableCommand[], batch: JournalBatch): void {
    this.#options.onSealed(commands);
    this.#addToJournal(batch, this.#content);
    this.#options.onDurable(commands);
  }

  #noteJournaled(place: LogPosition, seq: number): void {
    this.#journaled = { number: place.number, check: place.check };
    this.#feed?.noteJournaled(place.number);
    this.#client?.noteSynced(place.number, seq);
    this.#options.onJournaled(seq);
  }

  async #takeOver(view: LogView): Promise<void> {
    const { log } = this.#options;
    this.#setState('claiming');
    this.#client?.close(noCore('this node takes over'));
    const claim = await this.#claim();
    if (this.#isClosed) return;
    if (claim === undefined) {
      this.#silence.reset();
      this.#setState('connecting');
      return;
    }
    for (let { entries } = claim; ; entries = await log.entries(this.#position)) {
      for (const entry of entries) this.#apply(entry, this.#rulesOf(entry, view.holder));
      if (this.#position.number >= claim.head.number || this.#isClosed) break;
    }
    // The other core answers from its state for a second after its last entry, and the log was
    // silent for longer than that: a claim fails if there is an entry that the look did not see.
    if (!this.#isClosed) this.#lead(claim);
  }

  async #claim(): Promise<LogClaim | undefined> {
    try {
      return await this.#options.log.claim(this.#position);
    } catch (error) {
      // Another node has what this one lacks; it can follow that one.
      const isBehind = error instanceof StoreError && error.code === 'log_pruned';
      if (!isBehind || this.#options.role === 'core') throw error;
      this.#report(error);
      return undefined;
    }
  }

  /** An entry does not say under which rules it was applied; the rules of an epoch are known. */
  #rulesOf({ number, epoch }: LogEntry, before: LogHolder): number {
    if (epoch === before.epoch || this.#rules.rules === before.rules) return before.rules;
    if (epoch === this.#rules.epoch) return this.#rules.rules;
    throw new StoreError(
      'log_differs',
      `entry ${number} of the log was written under rules that this node does not know: start ` +
        'another node as the core, and this one as its standby',
    );
  }

  #lead(claim: LogClaim): void {
    const { engine, log, now, observer, onSealed, onDurable, onFatal } = this.#options;
    const { appliedSeq: lastSeq, appliedMs: lastTimeMs } = this.#source;
    assert(claim.lastSeq === lastSeq, 'a core has applied every command of the log');
    this.#useRules(RULES_VERSION, claim.holder.epoch);
    this.#holder = claim.holder;
    const leader = new Leader({
      engine,
      log,
      journal: this.#journal,
      lastSeq,
      lastTimeMs,
      now,
      observer,
      onCommitted: (entry, batch, content) => {
        this.#position = { number: entry.number, check: entry.check };
        this.#addToJournal(batch, content);
        this.#options.onContent(content);
      },
      onSealed,
      onDurable,
      onFatal,
    });
    this.#feed = new FeedCore({
      welcome: {
        format: FEED_FORMAT,
        logId: log.logId,
        node: this.node,
        program: PROGRAM_VERSION,
        epoch: claim.holder.epoch,
        rules: RULES_VERSION,
      },
      position: this.#position,
      seq: lastSeq,
      history: this.#options.history,
      handlers: this.#handlers,
      onSubmits: (body, replica) => leader.desk.take(body, replica),
    });
    leader.serve(this.#feed);
    this.#leader = leader;
    this.#options.onSource(leader.sequencer);
    for (const event of this.#early.splice(0)) leader.take(event);
    this.#setState('leading');
    this.#ready.resolve();
  }
}

/** After these refusals, the node tries again. */
const PASSING: ReadonlySet<string> = new Set([
  'no_core',
  'overloaded',
  'reader_unavailable',
  'stopping',
]);

/** The commands after `appliedSeq`. Without `ends`, they are one batch. */
function* loggedIn(
  { firstSeq, timesMs, kinds, payloads }: Omit<HistoryCommands, 'rules' | 'ends'>,
  appliedSeq: number,
  ends?: readonly boolean[],
) {
  const last = payloads.length - 1;
  for (let index = Math.max(0, appliedSeq + 1 - firstSeq); index <= last; index += 1) {
    const row = {
      seq: firstSeq + index,
      timeMs: timesMs[index]!,
      kind: kinds[index]!,
      payload: payloads[index]!,
      endsBatch: ends?.[index] ?? index === last,
    };
    yield new StoredCommand(row, commandChecksum(row));
  }
}

function noCore(why: string): StoreError {
  return new StoreError('no_core', `the core of the cluster can't be reached: ${why}`);
}

function deposed({ node, epoch }: LogHolder): StoreError {
  return new StoreError(
    'deposed',
    `the node ${node} has become the core with epoch ${epoch}, because this one was silent for too ` +
      'long. This process ends: start it again with --role standby',
  );
}
