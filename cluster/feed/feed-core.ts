/**
 * The feed of a node while it is the core: its replicas, what is sent to them, and their requests.
 * Invariants: only what the log has committed is sent; one replica of a name is connected; a
 * replica that is slow slows nothing else. Bounds: FEED_BOUNDS.
 */

import { messageOf, StoreError } from '../../persistence/shared/index.ts';
import type { EntryHead, LogPosition } from '../log/index.ts';
import { monotonicMs } from '../log/index.ts';
import type { FeedConnection } from './connection.ts';
import {
  answerHead,
  encodeFrame,
  FEED_BOUNDS,
  FEED_PACE,
  FRAME,
  type Frame,
  requestIn,
} from './frames.ts';
import { type CoreWelcome, checkTerms, type ReplicaHello } from './handshake.ts';
import { type FeedHistory, Outlet } from './outlet.ts';
import { RecentEntries } from './recent-entries.ts';

export interface FeedReplica {
  readonly node: string;
  readonly role: 'gateway' | 'standby';
  readonly entry: number;
  readonly seq: number;
}

export type FeedHandler = (body: Buffer, from: FeedReplica) => Promise<Buffer>;

export interface FeedCoreOptions {
  readonly welcome: CoreWelcome;
  /** Where the log was when this node became the core. */
  readonly position: LogPosition;
  readonly seq: number;
  readonly history: FeedHistory;
  /** The time of commands. */
  readonly now: () => number;
  /** By kind. More may be added later. */
  readonly handlers: ReadonlyMap<string, FeedHandler>;
  /** Takes a frame of commands. */
  readonly onSubmits: (body: Buffer, replica: SubmittingReplica) => void;
  readonly onReplica?: (what: 'connected' | 'disconnected', node: string, why?: Error) => void;
}

/** A replica while commands of it are answered. */
export interface SubmittingReplica {
  /** The last command that is on its way to it. */
  readonly sentSeq: number;
  /** More commands wait for an answer. Returns whether they are too many. */
  take(count: number): boolean;
  /** Answers a command, before commands after `sentSeq` are sent. */
  answer(bytes: Uint8Array): void;
}

export class FeedCore {
  readonly #options: FeedCoreOptions;
  readonly #recent: RecentEntries;
  readonly #outlets = new Map<string, Outlet>();
  readonly #sweeper: NodeJS.Timeout;
  #willFlush = false;
  #heardGatewayMs = monotonicMs();

  constructor(options: FeedCoreOptions) {
    this.#options = options;
    this.#recent = new RecentEntries(options.position, options.seq);
    this.#sweeper = setInterval(() => this.#sweep(), FEED_PACE.pingMs).unref();
  }

  get replicas(): FeedReplica[] {
    return [...this.#outlets.values()].map(replicaOf);
  }

  /** How long no gateway was heard, since this node became the core. */
  get gatewaySilenceMs(): number {
    return monotonicMs() - this.#heardGatewayMs;
  }

  /** An entry was committed. It is sent at the end of this turn, after the answers that name it. */
  publish(head: EntryHead, seq: number, entry: Uint8Array): void {
    const { number, check } = head;
    const frame = encodeFrame(FRAME.entry, entry);
    this.#recent.add({ number, check, seq, frame, committedMs: monotonicMs() });
    this.#flushSoon();
  }

  noteJournaled(number: number): void {
    this.#recent.noteJournaled(number);
  }

  /** This node was the core at some time after `sinceMs`, by `monotonicMs`. */
  confirm(sinceMs: number): void {
    for (const outlet of this.#outlets.values()) outlet.answerPings(sinceMs);
  }

  /**
   * Whether an entry after `number` was committed more than `ageMs` ago: what a replica sent that
   * had heard no more than `number` has been on its way for long.
   */
  isLate(number: number, ageMs: number): boolean {
    const next = this.#recent.at(number + 1);
    if (next !== undefined) return monotonicMs() - next.committedMs > ageMs;
    return number < this.#recent.newest.number;
  }

  /** Throws StoreError if the replica is refused. */
  attach(connection: FeedConnection, hello: ReplicaHello): void {
    const { welcome, history, now, onReplica } = this.#options;
    checkTerms(hello, welcome);
    if (hello.rules < welcome.rules) throw olderProgram(hello, welcome);
    if (hello.node === welcome.node) throw sameName(hello);
    const earlier = this.#outlets.get(hello.node);
    if (earlier === undefined && this.#outlets.size >= FEED_BOUNDS.replicas) {
      throw new StoreError(
        'feed_refused',
        `${this.#outlets.size} replicas are connected, which is the limit`,
      );
    }
    const outlet = new Outlet({ connection, hello, recent: this.#recent, history, now });
    // What the earlier connection still holds must not be taken after the new one's requests.
    earlier?.close(new StoreError('no_core', `the node ${hello.node} has connected again`));
    this.#outlets.set(hello.node, outlet);
    connection.allow(FEED_BOUNDS.frameBytes);
    connection.sendJson(FRAME.welcome, welcome);
    onReplica?.('connected', hello.node);
    connection.listen({
      onFrame: (frame) => this.#take(outlet, connection, frame),
      onDrain: () => outlet.pump(),
      onEnd: (error) => {
        outlet.close(error);
        if (this.#outlets.get(hello.node) !== outlet) return;
        this.#outlets.delete(hello.node);
        onReplica?.('disconnected', hello.node, error);
      },
    });
    outlet.pump();
  }

  close(error: Error): void {
    clearInterval(this.#sweeper);
    for (const outlet of this.#outlets.values()) outlet.close(error);
  }

  #flushSoon(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      for (const outlet of this.#outlets.values()) outlet.pump();
    });
  }

  #sweep(): void {
    const nowMs = monotonicMs();
    for (const outlet of this.#outlets.values()) {
      const silentMs = nowMs - outlet.heardMs;
      if (silentMs < FEED_PACE.replicaSilenceMs) continue;
      outlet.close(new Error(`it was silent for ${Math.round(silentMs)} ms`));
    }
  }

  #take(outlet: Outlet, connection: FeedConnection, { kind, body }: Frame): void {
    outlet.heardMs = monotonicMs();
    if (outlet.hello.role === 'gateway') this.#heardGatewayMs = outlet.heardMs;
    switch (kind) {
      case FRAME.synced:
        // Safe: the replica of this program wrote it, and the frame's checksum is right.
        outlet.synced = JSON.parse(body.toString()) as Outlet['synced'];
        return;
      case FRAME.ping:
        outlet.ping(body);
        return;
      case FRAME.request:
        this.#answer(outlet, connection, body);
        return;
      case FRAME.submits:
        this.#options.onSubmits(body, {
          get sentSeq() {
            return outlet.sentSeq;
          },
          take: (count) => outlet.take(count),
          answer: (bytes) => {
            outlet.answer(bytes);
            this.#flushSoon();
          },
        });
        return;
      default:
        connection.destroy(new StoreError('feed_refused', `a replica sent frame ${kind}`));
    }
  }

  #answer(outlet: Outlet, connection: FeedConnection, frame: Buffer): void {
    const { id, kind, body } = requestIn(frame);
    if (!outlet.take(1)) return;
    const handler = this.#options.handlers.get(kind);
    const answering =
      handler?.(body, replicaOf(outlet)) ??
      Promise.reject(new StoreError('no_core', `the core does not answer ${kind} yet`));
    answering
      .then(
        (answer) =>
          connection.send(FRAME.answer, answerHead(id, this.#recent.newest.number), answer),
        (error: unknown) => {
          const code = error instanceof StoreError ? error.code : 'other_node';
          const failure = { code, message: messageOf(error) };
          const head = answerHead(id, this.#recent.newest.number);
          connection.send(FRAME.failure, head, Buffer.from(JSON.stringify(failure)));
        },
      )
      .finally(() => outlet.take(-1));
  }
}

function replicaOf({ hello: { node, role }, synced: { entry, seq } }: Outlet): FeedReplica {
  return { node, role, entry, seq };
}

function olderProgram(hello: ReplicaHello, welcome: CoreWelcome): StoreError {
  return new StoreError(
    'feed_refused',
    `the ${hello.role} ${hello.node} runs ${hello.program} with rules ${hello.rules}, and the ` +
      `core ${welcome.node} runs ${welcome.program} with rules ${welcome.rules}: start the ` +
      'node with the newer program. Upgrade gateways and standbys before the core',
  );
}

function sameName({ node, role }: ReplicaHello): StoreError {
  return new StoreError(
    'feed_refused',
    `the core and this ${role} are both called ${node}: give each node its own --node`,
  );
}
