/**
 * What a core sends to one replica: entries in order, from the newest ones in memory or from the
 * journal, and answers. Invariants: the replica gets each command once, in order of seq; an answer
 * that names a command is sent before it. Bound: FEED_BOUNDS.waitingBytes in the socket, beyond
 * which nothing is sent until they have left; answers beyond it are bounded by waitingRequests.
 */

import { StoreError, toError } from '../../persistence/shared/index.ts';
import type { LogPosition } from '../log/index.ts';
import { monotonicMs } from '../log/index.ts';
import type { FeedConnection } from './connection.ts';
import { FEED_BOUNDS, FRAME } from './frames.ts';
import type { ReplicaHello } from './handshake.ts';
import type { HistoryPart } from './history.ts';
import type { RecentEntries } from './recent-entries.ts';

export interface FeedHistory {
  /**
   * The commands of the journal after a seq, or some of them. With `checksum`, that of the command
   * at `afterSeq`, it rejects with StoreError `log_differs` if the journal has another one there.
   */
  read(afterSeq: number, checksum?: number): Promise<HistoryPart>;
}

export interface OutletOptions {
  readonly connection: Pick<
    FeedConnection,
    'send' | 'sendJson' | 'sendFrame' | 'waitingBytes' | 'finish' | 'destroy'
  >;
  readonly hello: ReplicaHello;
  readonly recent: RecentEntries;
  readonly history: FeedHistory;
  readonly now: () => number;
}

export class Outlet {
  readonly hello: ReplicaHello;
  readonly #options: OutletOptions;
  /** What the replica has synced. */
  synced: { readonly entry: number; readonly seq: number };
  heardMs = monotonicMs();
  /** When each ping that is not answered came, oldest first, with what it said. */
  #pings: { readonly atMs: number; readonly body: Buffer }[] = [];
  /** Requests that are not answered. */
  #waiting = 0;
  /** Answers to commands that are not sent yet. */
  #answers: Uint8Array[] = [];
  /** The last entry that was sent; undefined while the journal is read. */
  #sent: number | undefined;
  #sentSeq: number;
  #isReading = false;
  #isClosed = false;

  /** Throws StoreError `log_differs` if the replica has what the core does not have. */
  constructor(options: OutletOptions) {
    const { hello, recent } = options;
    this.#options = options;
    this.hello = hello;
    this.synced = { entry: hello.position.number, seq: hello.seq };
    this.#sentSeq = hello.seq;
    this.#sent = sharedNumber(hello, recent);
  }

  /** The last command that is on its way to the replica. */
  get sentSeq(): number {
    return this.#sentSeq;
  }

  /** Counts requests that are not answered. Returns whether they are as many as allowed. */
  take(count: number): boolean {
    this.#waiting += count;
    if (this.#waiting <= FEED_BOUNDS.waitingRequests) return true;
    this.close(new StoreError('overloaded', `${this.#waiting} requests of a replica are waiting`));
    return false;
  }

  answer(bytes: Uint8Array): void {
    this.#waiting -= 1;
    this.#answers.push(bytes);
  }

  /** Sends what there is to send and the replica can take. */
  pump(): void {
    const { connection, recent } = this.#options;
    this.#sendAnswers();
    while (!this.#isClosed && !this.#isReading) {
      if (connection.waitingBytes > FEED_BOUNDS.waitingBytes) return;
      if (this.#sent === undefined) {
        this.#read();
        return;
      }
      if (this.#sent >= recent.newest.number) return;
      const next = recent.at(this.#sent + 1);
      if (next === undefined) {
        this.#sent = undefined;
      } else {
        connection.sendFrame(next.frame);
        this.#sent = next.number;
        this.#sentSeq = next.seq;
      }
    }
  }

  ping(body: Buffer): void {
    this.#pings.push({ atMs: monotonicMs(), body: Buffer.from(body) });
    if (this.#pings.length > PINGS) this.#pings.shift();
  }

  /** This node was the core at some time after `sinceMs`: answers the pings that came before it. */
  answerPings(sinceMs: number): void {
    let newest: Buffer | undefined;
    while ((this.#pings[0]?.atMs ?? Number.POSITIVE_INFINITY) <= sinceMs) {
      newest = this.#pings.shift()?.body;
    }
    if (newest === undefined) return;
    const { recent, now, connection } = this.#options;
    const numbers = Buffer.allocUnsafe(16);
    numbers.writeBigUInt64BE(BigInt(recent.newest.number));
    numbers.writeDoubleBE(now(), 8);
    connection.send(FRAME.pong, newest, numbers);
  }

  close(error: Error): void {
    this.#isClosed = true;
    this.#options.connection.destroy(error);
  }

  #sendAnswers(): void {
    if (this.#answers.length === 0) return;
    this.#options.connection.send(FRAME.submitted, ...this.#answers);
    this.#answers = [];
  }

  #read(): void {
    this.#isReading = true;
    const { hello, history } = this.#options;
    const checksum = this.#sentSeq === hello.seq && hello.seq > 0 ? hello.checksum : undefined;
    history.read(this.#sentSeq, checksum).then(
      (part) => {
        this.#isReading = false;
        this.#take(part);
      },
      (error: unknown) => this.#refuse(toError(error)),
    );
  }

  #take({ body, lastSeq, position }: HistoryPart): void {
    if (this.#isClosed) return;
    const { connection } = this.#options;
    this.#sendAnswers(); // those that wait may name commands of this part
    if (lastSeq > this.#sentSeq) connection.send(FRAME.history, body);
    this.#sentSeq = lastSeq;
    if (position !== undefined) {
      connection.sendJson(FRAME.position, position);
      this.#sent = position.number;
    }
    this.pump();
  }

  #refuse(error: Error): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { connection } = this.#options;
    if (error instanceof StoreError) {
      connection.sendJson(FRAME.refusal, { code: error.code, message: error.message });
    }
    connection.finish(error);
  }
}

/** Pings of one replica that are kept: more come only if the core does not commit. */
const PINGS = 64;

/** The entry up to which replica and core agree; undefined if the journal has to tell. */
function sharedNumber(hello: ReplicaHello, recent: RecentEntries): number | undefined {
  const { position, seq, node } = hello;
  const { newest } = recent;
  const shared = recent.placeAt(position.number);
  if (position.number > newest.number || seq > newest.seq || isOther(position, shared)) {
    throw new StoreError(
      'log_differs',
      `the node ${node} has entry ${position.number} with command ${seq}, which the log of this ` +
        'cluster does not have: the log was restored from an older copy, or the data folder ' +
        'belongs to another cluster. Start the node with a new data folder, and keep the old one ' +
        'for inspection',
    );
  }
  // The start of a log says nothing of the commands before it, which may be those of a stranger.
  const isStart = position.number === 0 && seq > 0;
  return shared?.seq === seq && !isStart ? position.number : undefined;
}

function isOther(position: LogPosition, shared: LogPosition | undefined): boolean {
  return shared !== undefined && shared.check !== position.check;
}
