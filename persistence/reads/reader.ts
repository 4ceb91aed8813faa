/**
 * Reads of orders, trades and prices, answered by a thread of its own over the projection.
 * Invariant: every read waits until the projection has reached the seq applied at the call, so it
 * shows the caller's own writes and nothing that a crash could take back. One search is with the
 * thread at a time and the others wait here, so that a look-up waits for one and not for all.
 * Bound: STORE_BOUNDS.waitingReads.
 */
import type { Command } from '../../engine/index.ts';
import type { Projector } from '../projection/index.ts';
import type {
  ActionRecord,
  MarketVolume,
  NotificationRecord,
  OrderRecord,
  PriceHistory,
  TradeRecord,
} from '../shared/index.ts';
import { STORE_BOUNDS, StoreError } from '../shared/index.ts';
import { SupervisedWorker } from '../threads/index.ts';
import type { ReaderMessage, ReaderRequest, ReaderThreadData } from './reader-thread.ts';

export interface LiveOrdersQuery {
  readonly owner: string;
  readonly orderId?: string;
  readonly conditionId?: string;
  readonly tokenId?: string;
  readonly offset: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

/** All filters given must hold. */
export interface TradesQuery {
  /** The taker's owner or one of the makers'. */
  readonly owner?: string;
  readonly tradeId?: string;
  readonly takerAccount?: string;
  readonly makerAccount?: string;
  /** The taker's account or one of the makers'. */
  readonly eitherAccount?: string;
  readonly conditionId?: string;
  /** What some participant traded, whoever else is asked for: it is shown to all of them. */
  readonly tokenId?: string;
  /** 0x + 64 hex: the taker's order or one of the makers' names this builder. */
  readonly builder?: string;
  /** Account whose own order in it names a builder: `builder`, if that is given too. */
  readonly builtAccount?: string;
  /** Trades earlier than this. */
  readonly beforeMs?: number;
  /** Trades later than this. */
  readonly afterMs?: number;
  /** `makers` of each record are left empty. */
  readonly takersOnly?: boolean;
  readonly offset: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface NotificationsQuery {
  readonly owner: string;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

/** All filters given must hold. */
export interface ActionsQuery {
  readonly kind?: Command['kind'];
  readonly by?: string;
  /** Actions with a lower seq. */
  readonly beforeSeq?: number;
  /** 1 to STORE_BOUNDS.pageRows. */
  readonly limit: number;
}

export interface VolumesQuery {
  /** At most STORE_BOUNDS.listedIds. */
  readonly conditionIds: readonly string[];
  /** Not longer ago than STORE_BOUNDS.volumeHours: what was traded before is known in all only. */
  readonly sinceMs?: number;
}

export interface PriceHistoryQuery {
  readonly tokenId: string;
  /** The minutes of these two are the first and the last that count. */
  readonly startMs: number;
  readonly endMs: number;
  /** A whole number of minutes. */
  readonly stepMs: number;
  /** Steps of the answer: 1 to STORE_BOUNDS.historySteps. */
  readonly limit: number;
}

export interface Page<Record> {
  readonly records: Record[];
  /** Whether there are further records after these. */
  readonly more: boolean;
}

/** Rejects with StoreError `reader_unavailable`, `overloaded` or, of trades, `search_too_wide`. */
export interface Reader {
  order(orderId: string): Promise<OrderRecord | undefined>;
  /**
   * Several at once, in the order asked for, undefined for an unknown one: at most
   * STORE_BOUNDS.listedIds, without their trades (`tradeIds` and `transactionHashes` are empty).
   */
  orders(orderIds: readonly string[]): Promise<(OrderRecord | undefined)[]>;
  /** Orders that are open, live or delayed, oldest first. */
  liveOrders(query: LiveOrdersQuery): Promise<Page<OrderRecord>>;
  /** Newest first. */
  trades(query: TradesQuery): Promise<Page<TradeRecord>>;
  /** Newest first, without those that were dismissed. */
  notifications(query: NotificationsQuery): Promise<NotificationRecord[]>;
  /** What the operator did, newest first. */
  actions(query: ActionsQuery): Promise<Page<ActionRecord>>;
  /** Of the known ones among the markets, in the order asked for. */
  volumes(query: VolumesQuery): Promise<MarketVolume[]>;
  /** Empty when nothing is known of the token until the end of the window. */
  priceHistory(query: PriceHistoryQuery): Promise<PriceHistory>;
}

export interface ThreadReaderOptions {
  readonly data: ReaderThreadData;
  readonly projector: Projector;
  readonly appliedSeq: () => number;
  /** The thread is down; it is started again by itself. */
  readonly onDown: (error: Error) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: StoreError) => void;
}

/** Reads that may walk through much of the history, unlike those that look a few rows up. */
const SEARCHES: ReadonlySet<ReaderRequest['question']['kind']> = new Set([
  'trades',
  'priceHistory',
]);

const NO_REQUEST = 0;

export class ThreadReader implements Reader {
  readonly #projector: Projector;
  readonly #appliedSeq: () => number;
  readonly #thread: SupervisedWorker<ReaderRequest, undefined, ReaderMessage>;
  /** By request id. */
  readonly #waiting = new Map<number, Waiting>();
  #lastId = NO_REQUEST;
  /** Searches that are not with the thread yet. */
  #searches: ReaderRequest[] = [];
  /** The id of the search that is. */
  #searching = NO_REQUEST;

  constructor({ data, projector, appliedSeq, onDown }: ThreadReaderOptions) {
    const down = (error: Error): void => {
      this.#refuseAll(error.message);
      onDown(error);
    };
    this.#projector = projector;
    this.#appliedSeq = appliedSeq;
    this.#thread = new SupervisedWorker({
      entry: new URL('./reader-thread.ts', import.meta.url),
      name: "the reader's thread",
      data,
      onOpen: () => undefined,
      onMessage: (message) => this.#answered(message),
      onDown: down,
      onRefused: down,
    });
  }

  get isUp(): boolean {
    return this.#thread.isUp;
  }

  start(): Promise<void> {
    return this.#thread.start();
  }

  async order(orderId: string): Promise<OrderRecord | undefined> {
    // The reader answers each kind of request with what its name says.
    return (await this.#ask({ kind: 'order', query: orderId })) as OrderRecord | undefined;
  }

  async liveOrders(query: LiveOrdersQuery): Promise<Page<OrderRecord>> {
    return (await this.#ask({ kind: 'liveOrders', query })) as Page<OrderRecord>; // as above
  }

  async trades(query: TradesQuery): Promise<Page<TradeRecord>> {
    return (await this.#ask({ kind: 'trades', query })) as Page<TradeRecord>; // as above
  }

  async orders(query: readonly string[]): Promise<(OrderRecord | undefined)[]> {
    return (await this.#ask({ kind: 'orders', query })) as (OrderRecord | undefined)[]; // as above
  }

  async notifications(query: NotificationsQuery): Promise<NotificationRecord[]> {
    return (await this.#ask({ kind: 'notifications', query })) as NotificationRecord[]; // as above
  }

  async actions(query: ActionsQuery): Promise<Page<ActionRecord>> {
    return (await this.#ask({ kind: 'actions', query })) as Page<ActionRecord>; // as above
  }

  async volumes(query: VolumesQuery): Promise<MarketVolume[]> {
    return (await this.#ask({ kind: 'volumes', query })) as MarketVolume[]; // as above
  }

  async priceHistory(query: PriceHistoryQuery): Promise<PriceHistory> {
    return (await this.#ask({ kind: 'priceHistory', query })) as PriceHistory; // as above
  }

  async stop(): Promise<void> {
    await this.#thread.stop().finally(() => this.#refuseAll('the exchange is stopping'));
  }

  async #ask(question: ReaderRequest['question']): Promise<unknown> {
    await this.#projector.reach(this.#appliedSeq());
    if (this.#waiting.size >= STORE_BOUNDS.waitingReads) {
      throw new StoreError('overloaded', `${this.#waiting.size} reads are waiting`);
    }
    if (!this.#thread.isUp) throw unavailable('it is being started again');
    this.#lastId += 1;
    const request = { id: this.#lastId, question };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      if (SEARCHES.has(question.kind)) {
        this.#searches.push(request);
        this.#searchOn();
      } else this.#thread.post(request);
    });
  }

  #searchOn(): void {
    if (this.#searching !== NO_REQUEST) return;
    const next = this.#searches.shift();
    if (next === undefined) return;
    this.#searching = next.id;
    this.#thread.post(next);
  }

  #answered(message: ReaderMessage): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    this.#thread.noteProgress();
    if (message.id === this.#searching) {
      this.#searching = NO_REQUEST;
      this.#searchOn();
    }
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(errorOf(message));
  }

  #refuseAll(why: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(unavailable(why));
    this.#waiting.clear();
    this.#searches = [];
    this.#searching = NO_REQUEST;
  }
}

function errorOf(message: Exclude<ReaderMessage, { readonly kind: 'answer' }>): StoreError {
  return message.kind === 'refusal'
    ? new StoreError(message.code, message.message)
    : unavailable(message.message);
}

function unavailable(why: string): StoreError {
  return new StoreError('reader_unavailable', `the reader is not there: ${why}`);
}
