/**
 * A node of a cluster: follows the core that the log names, takes over if it is a standby and the
 * log falls silent, and ends when another node takes over from it.
 *
 *     connecting -> following -> claiming -> leading -> deposed
 *          ^____________|___________|
 *
 * Invariants: commands are applied in the order of the log, once each; the node never goes back to
 * an older epoch; it leads only after it has applied every entry before its claim. A takeover opens
 * nothing again: it swaps the source of commands (docs/decisions/0041-replicas-and-takeover.md).
 */
import { strict as assert } from 'node:assert';
import { RULES_VERSION } from '../engine/index.ts';
import type { JournalBatch } from '../persistence/journal/batch.ts';
import { type DurableCommand, StoreError, toError } from '../persistence/shared/index.ts';
import type { ClusterNode, ConnectedReplica, NodeState, RequestHandler } from './cluster.ts';
import {
  connectFeed,
  type FeedClient,
  FeedCore,
  type HistoryCommands,
  type HistoryEnd,
} from './feed/index.ts';
import { LeadingCore } from './leading-core.ts';
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
} from './log/index.ts';
import { deposed, isOutage, isPassing, noCore, rulesOf } from './node-errors.ts';
import { helloOf, journalPauseMs, NODE_PACE, type NodeOptions, welcomeOf } from './node-options.ts';
import { Registration } from './registration.ts';
import * as replica from './replica/index.ts';
import { TakeoverRule } from './takeover-rule.ts';

export class Node implements ClusterNode {
  readonly node: string;
  readonly #options: NodeOptions;
  readonly #source: replica.ReplicaSource;
  readonly #journal: replica.JournalBehind;
  readonly #takeover: TakeoverRule;
  readonly registration: Registration;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #ready = Promise.withResolvers<void>();
  #state: NodeState = 'connecting';
  /** The newest holder that this node knows. */
  #holder: LogHolder | undefined;
  #position: LogPosition; // what is applied
  #content: readonly string[] = []; // the content of the entry that is being applied
  #journaled: LogPosition; // what the journal has
  /** The rules of the last commands. */
  #rules: { readonly epoch: number; readonly rules: number } = { epoch: 0, rules: 0 };
  #client: FeedClient | undefined;
  #isConnecting = false;
  #leader: LeadingCore | undefined;
  #feed: FeedCore | undefined;
  /** What the log reported before this node had applied the entries before its claim. */
  #early: Extract<LogEvent, { kind: 'committed' | 'beat' }>[] = [];
  #isTicking = false;
  #isResigned = false;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #trouble = '';

  constructor(options: NodeOptions) {
    const { opened, engine } = options;
    this.#options = options;
    this.node = options.node;
    this.#takeover = new TakeoverRule({
      role: options.role,
      hasAllContent: () => options.content.hasAll(this.#journal.told),
      diskSilenceMs: () => this.#journal.silenceMs,
      now: options.exchange.options.now,
      clockJumpMs: options.clockJumpMs,
      onHindered: (why) => this.#report(why),
    });
    this.registration = new Registration({
      role: options.role,
      log: options.log,
      knock: async (address) => (await this.#dial(address)).close(noCore('it was only sought')),
    });
    this.#position = opened.place ?? LOG_START;
    this.#journaled = this.#position;
    this.#journal = new replica.JournalBehind({
      post: (group) => options.journal.append(group),
      pauseMs: journalPauseMs(options.role),
      content: opened.place?.content,
      appliedContent: () => options.content.applied,
      onWritten: (place, seq) => this.#noteJournaled(place, seq),
      onRoom: () => {
        this.#leader?.resume();
        this.#client?.resume();
      },
    });
    this.#source = new replica.ReplicaSource({
      engine,
      lastSeq: opened.lastSeq,
      lastTimeMs: opened.lastTimeMs,
      lastChecksum: options.lastChecksum,
      checkCurrent: () => this.#checkCurrent(),
      heardNumber: () => this.#position.number,
      onBatch: (commands, batch) => this.#takeBatch(commands, batch),
      onFatal: (error) => options.exchange.failed(error),
    });
    options.exchange.useSource(this.#source);
  }

  get state(): NodeState {
    return this.#state;
  }

  get epoch(): number {
    return this.#holder?.epoch ?? 0;
  }

  get isCurrent(): boolean {
    const isOver = this.#isClosed || this.#isResigned;
    if (this.#state === 'leading') return !isOver && this.#leader?.isCurrent === true;
    return this.#state === 'following' && this.silenceMs < NODE_PACE.shownMs;
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

  get feed(): FeedCore | undefined {
    return this.#state === 'leading' && !this.#isClosed ? this.#feed : undefined;
  }

  etcdStatus(): Promise<EtcdStatus> {
    return this.#options.log.status();
  }

  request(kind: string, body: Buffer): Promise<Buffer> {
    // Not `no_core`, after which senders ask again until there is one.
    if (this.#isClosed) return Promise.reject(new StoreError('stopping', 'the node is stopping'));
    if (this.#state === 'following' && this.#client !== undefined) {
      return this.#client.request(kind, body);
    }
    const handler = this.#state === 'leading' ? this.#handlers.get(kind) : undefined;
    if (handler === undefined) return Promise.reject(noCore('there is none now'));
    const { number: entry } = this.#journaled;
    return handler(body, { node: this.node, role: 'standby', entry, seq: this.heardSeq });
  }

  handle(kind: string, handler: RequestHandler): void {
    assert(!this.#handlers.has(kind), `requests of ${kind} have one handler`);
    this.#handlers.set(kind, handler);
  }

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
    if (event.kind === 'committed' || event.kind === 'beat') {
      if (this.#leader === undefined) this.#early.push(event);
      else this.#leader.take(event);
    } else if (event.kind === 'deposed') this.fail(deposed(event.by));
    else if (event.kind === 'failed') this.fail(event.error);
    else if (event.kind === 'answering') this.#trouble = '';
    else this.#report(new StoreError('log_unavailable', event.message));
  }

  /** Call it when the source of commands is drained. A core gives its place away. */
  async close(): Promise<void> {
    const isLeading = this.#state === 'leading' && !this.#isClosed;
    this.#isClosed = true;
    clearInterval(this.#timer);
    // Before the feed ends, so that standbys find it when they notice that.
    if (isLeading) await this.#resign();
    const error = new StoreError('stopping', 'the node is stopping');
    this.#client?.close(error);
    this.#feed?.close(error);
    this.#ready.reject(error);
    await this.#journal.drain();
  }

  /** So that a standby need not wait. From here on, this core shows nothing. */
  async #resign(): Promise<void> {
    this.#isResigned = true;
    await this.#options.log.resign().catch((error) => this.#reportTrouble(error));
  }

  #setState(state: NodeState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.content.noteState(state);
    this.#options.onEvent({ kind: 'node_state', state, epoch: this.epoch });
  }

  /** Ends with an error: another node leads, or a part failed. */
  fail(error: Error): void {
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

  /** Something is wrong, and the node goes on. Reported once, until it goes well again. */
  #report(error: Error): void {
    if (this.#trouble === error.message) return;
    this.#trouble = error.message;
    this.#reportTrouble(error);
  }

  #reportTrouble(error: Error): void {
    this.#options.onEvent({ kind: 'cluster_trouble', error });
  }

  #checkCurrent(): void {
    if (this.isCurrent) return;
    throw noCore('there is none now, or it has not been heard for 1.5 seconds');
  }

  #tick(): void {
    if (this.#isTicking || this.#isClosed || this.#state === 'claiming') return;
    this.#isTicking = true;
    this.#step()
      .catch((error: unknown) => this.fail(toError(error)))
      .finally(() => {
        this.#isTicking = false;
      });
  }

  async #step(): Promise<void> {
    const isSought = await this.#asked(() => this.registration.keep(this.#journaled));
    if (this.#leader !== undefined) {
      const why = this.#leader.unfitness(isSought === true);
      if (why !== undefined) await this.#resign().finally(() => this.fail(why));
      return;
    }
    const client = this.#client;
    if (client !== undefined && client.silenceMs >= NODE_PACE.currentMs) {
      client.close(noCore('it has not been heard for 1.5 seconds'));
    } else if (this.silenceMs < NODE_PACE.lookMs) {
      this.#takeover.reset();
      this.registration.noteCore();
      this.#ready.resolve();
      return;
    }
    const startedMs = monotonicMs();
    const view = await this.#asked(() => this.#options.log.look(this.#position));
    if (view === undefined || this.#isClosed) {
      this.#takeover.reset();
      return;
    }
    this.#holder = view.holder;
    if (this.#takeover.isToClaim(view, startedMs)) await this.#takeOver(view);
    else if (this.#options.role !== 'core') this.#connect(view.holder);
    await this.#asked(() => this.registration.seek(view.holder.feedAddress));
  }

  /** Undefined if etcd does not answer: it will again. */
  #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
    return ask().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      this.#report(error);
      return undefined;
    });
  }

  #connect(holder: LogHolder): void {
    if (this.#client !== undefined && this.#client.welcome.epoch < holder.epoch) {
      this.#client.close(noCore(`the node ${holder.node} has taken over`));
    }
    const hasCore = holder.epoch > 0 && !holder.hasResigned;
    if (this.#client !== undefined || this.#isConnecting || !hasCore) return;
    this.#isConnecting = true;
    this.#dial(holder.feedAddress)
      .then(
        (client) => this.#follow(client),
        (error: unknown) => this.#refused(toError(error)),
      )
      .finally(() => {
        this.#isConnecting = false;
      });
  }

  #dial(address: string): Promise<FeedClient> {
    const { secret, tls } = this.#options;
    const hello = helloOf(this.#options, this.#source, this.#position);
    return connectFeed({ address, secret, tls: tls(), hello });
  }

  #refused(error: Error): void {
    if (isPassing(error)) this.#report(error);
    else this.fail(error);
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
      onTime: (wallMs) => this.#takeover.noteCoreTime(wallMs),
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
      client.close(noCore(`entry ${entry.number} does not continue entry ${number} of this node`));
      return;
    }
    this.#apply(entry, client.welcome.rules);
    if (this.#journal.isFull) client.pause();
  }

  #takeHistory(commands: HistoryCommands): void {
    this.#useRules(commands.rules, this.epoch);
    this.#source.apply(replica.loggedCommands(commands, this.#source.appliedSeq, commands));
    if (this.#journal.isFull) this.#client?.pause();
  }

  #takePosition({ number, check, content }: HistoryEnd): void {
    this.#position = { number, check };
    this.#addToJournal({ content: [], told: content });
    if (content !== undefined) this.#options.content.tell(content);
  }

  /** An entry that can't be applied is not journaled, and nothing after it is. */
  #addToJournal(applied: replica.AppliedPart): void {
    if (this.#source.hasFailed) return;
    const place = { ...this.#position, logId: this.#options.log.logId };
    this.#journal.add({ ...applied, rules: this.#rules.rules, place });
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
    this.#source.apply(replica.loggedCommands(entry, appliedSeq));
    if (this.#source.appliedSeq === appliedSeq) this.#addToJournal({ content: entry.content });
    this.#content = [];
    this.#options.content.receive(entry.content);
  }

  #takeBatch(commands: readonly DurableCommand[], batch: JournalBatch): void {
    this.#options.exchange.sealed(commands);
    this.#addToJournal({ batch, content: this.#content });
    this.#options.exchange.durable(commands);
  }

  #noteJournaled(place: LogPosition, seq: number): void {
    this.#journaled = { number: place.number, check: place.check };
    this.#feed?.noteJournaled(place.number);
    this.#client?.noteSynced(place.number, seq);
    this.#options.exchange.journaled(seq);
  }

  async #takeOver(view: LogView): Promise<void> {
    const { log } = this.#options;
    this.#setState('claiming');
    this.#client?.close(noCore('this node takes over'));
    const claim = await this.#claim();
    if (this.#isClosed) return;
    if (claim === undefined) {
      this.#takeover.reset();
      this.#setState('connecting');
      return;
    }
    for (let { entries } = claim; ; entries = await log.entries(this.#position)) {
      for (const entry of entries) this.#apply(entry, rulesOf(entry, view.holder, this.#rules));
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

  #lead(claim: LogClaim): void {
    const { engine, log, exchange } = this.#options;
    const { appliedSeq: lastSeq, appliedMs: lastTimeMs } = this.#source;
    assert(claim.lastSeq === lastSeq, 'a core has applied every command of the log');
    this.#useRules(RULES_VERSION, claim.holder.epoch);
    this.#holder = claim.holder;
    const leader = new LeadingCore({
      engine,
      log,
      journal: this.#journal,
      lastSeq,
      lastTimeMs,
      ...exchange.options,
      path: exchange,
      onCommitted: (entry, batch, content) => {
        this.#position = { number: entry.number, check: entry.check };
        this.#addToJournal({ batch, content });
        this.#options.content.receive(content);
      },
    });
    this.#feed = new FeedCore({
      welcome: welcomeOf(log.logId, claim.holder),
      position: this.#position,
      seq: lastSeq,
      history: this.#options.history,
      now: exchange.options.now,
      handlers: this.#handlers,
      onSubmits: (body, replica) => leader.desk.take(body, replica),
    });
    leader.serve(this.#feed);
    this.#leader = leader;
    exchange.useSource(leader.sequencer);
    for (const event of this.#early.splice(0)) leader.take(event);
    this.#setState('leading');
    this.#ready.resolve();
  }
}
