/**
 * The records that persistence returns: answers of the sequencer, results of reads, reports. Units,
 * addresses and ids are as in the engine's commands.
 */
import type {
  Command,
  EngineEvent,
  Lots,
  MarketResolved,
  Micros,
  Outcome,
  PlaceOrder,
  Side,
  Ticks,
} from '../../engine/index.ts';
import type { WideSum } from './wide-sum.ts';

/** The answer to a command, given when everything that it shows is durable. */
export interface Applied {
  /** Its own seq if it changed something, else the seq of the state that it was judged in. */
  readonly seq: number;
  readonly timeMs: number;
  /** Its own; those of its further steps are in `steps`. */
  readonly events: readonly EngineEvent[];
  /**
   * The commands that worked it off, itself the first; absent if it did it alone. Only an order and
   * a move of the clock have the events of the further ones: other commands end any number of
   * orders, and no answer names these.
   */
  readonly steps?: readonly Omit<Applied, 'steps'>[];
}

/** An account's balance of one asset: micros of cash or lots of an outcome token. */
export interface BalanceView {
  /** Whether the account is open. If not, the amounts are 0. */
  readonly isOpen: boolean;
  readonly available: number;
  /** Reserved for open orders. */
  readonly held: number;
}

/** Whether the store works. The seqs of `Exchange` say how far each part has got. */
export interface StoreHealth {
  /** Commands are accepted: nothing has failed, and the exchange is not closing. */
  readonly isAccepting: boolean;
  /** Commands and reads that wait for the disk, at most `waitingLimit`. */
  readonly waitingCount: number;
  readonly waitingLimit: number;
  readonly threads: readonly ThreadHealth[];
  /** The last change that the follower has replayed; undefined if it was not started, or rests. */
  readonly followedSeq?: number | undefined;
  /** The newest one that this process has made. */
  readonly lastSnapshot?: SnapshotMade | undefined;
}

export interface ThreadHealth {
  /**
   * If `journal` is down, the exchange has failed. If `follower` is down, audits are refused; if
   * another thread is, its reads or writes are. `follower` starts a while after the exchange (at
   * the first audit if no snapshots are made), and is absent while it rests; `analytics` starts at
   * its first question.
   */
  readonly name:
    | 'journal'
    | 'projector'
    | 'reader'
    | 'catalog'
    | 'catalog_reader'
    | 'follower'
    | 'analytics';
  readonly isUp: boolean;
}

/** A snapshot that was written to the disk. */
export interface SnapshotMade {
  /** The last command that it shows. */
  readonly seq: number;
  readonly bytes: number;
  /** When it was complete. */
  readonly madeMs: number;
  /** The time to check the state and write it. */
  readonly tookMs: number;
}

export interface Recovered {
  /** The last command that the snapshot shows; 0 if the start used none. */
  readonly snapshotSeq: number;
  /** Commands replayed from the journal. */
  readonly replayed: number;
  /** The time to load the snapshot and replay the commands. */
  readonly tookMs: number;
}

/** The result of an audit, which adds up the whole state again at one seq. */
export interface AuditReport {
  readonly ok: boolean;
  /** The first fault found; '' for none. */
  readonly fault: string;
  /** The last command that the state shows, and its time; both 0 for an empty journal. */
  readonly seq: number;
  readonly timeMs: number;
  /** SHA-256 of the state, in hex. */
  readonly stateHash: string;
  readonly totals: AuditTotals;
}

/** available + held + locked = deposited - withdrawn, unless a fault was found. */
export interface AuditTotals {
  /** Cash of all accounts. */
  readonly availableMicros: number;
  readonly heldMicros: number;
  /** The part of these two sums that is in the account that collects fees. */
  readonly feesMicros: number;
  /** The collateral of complete sets and of unredeemed tokens of resolved markets. */
  readonly lockedMicros: number;
  readonly depositedMicros: number;
  readonly withdrawnMicros: number;
  readonly liveOrders: number;
  readonly markets: number;
  readonly accounts: number;
}

/** A journaled command with its events. */
export interface DurableCommand extends Applied {
  readonly command: Command;
  /** That of an order, where it takes less to get than the command. */
  readonly apiKey?: string;
}

/** Open (`live`, or `delayed` until its release) or closed. */
export type OrderStatus = 'live' | 'delayed' | 'matched' | 'canceled' | 'unmatched';

/** An order with its history so far, as the projection has it. */
export interface OrderRecord
  extends Omit<
    PlaceOrder,
    'kind' | 'builder' | 'broughtBy' | 'minimumLeadMs' | 'earlyEndMs' | 'idCheckedSeq' | 'opens'
  > {
  /** Seq of the command that placed it. */
  readonly acceptedSeq: number;
  /** The builder code that was signed or that brought the order, 0x + 64 hex; '' for none. */
  readonly builder: string;
  readonly conditionId: string;
  readonly outcome: Outcome;
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  /** The fees that the order has paid so far, including the builder's part. */
  readonly feeMicros: Micros;
  readonly status: OrderStatus;
  /** The engine's close reason, '' while it is open. */
  readonly closeReason: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** When its delay ends or ended; 0 for an order without delay. */
  readonly releaseMs: number;
  /** Seq of the command that closed it; 0 while it is open. */
  readonly closedSeq: number;
  /** Ids of its trades, oldest first. */
  readonly tradeIds: readonly string[];
  /** Transaction hashes of the trades in which it was the taker. */
  readonly transactionHashes: readonly string[];
}

/** The fees that one party of a trade paid. */
export interface PartyFees {
  readonly feeMicros: Micros;
  /** The part of `feeMicros` that went to the builder of its order. */
  readonly builderFeeMicros: Micros;
  /** The taker or maker rate with which its order was accepted. */
  readonly feeBps: number;
}

/** A party of a fill or a trade, from its own view (wire 9.4). */
export interface FillParty extends PartyFees {
  readonly orderId: string;
  readonly account: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

export interface TradeMaker extends FillParty {
  readonly owner: string;
  readonly apiKey: string;
  /** The builder of its order; '' for none. */
  readonly builder: string;
  readonly tokenId: string;
}

/** One taker order at one price level. The fields at the top are the taker's (wire 9.4). */
export interface TradeRecord
  extends Omit<TradeMaker, 'orderId' | 'account' | 'owner' | 'apiKey' | 'builder'> {
  readonly tradeId: string;
  /** 0x + 64 hex. */
  readonly transactionHash: string;
  readonly seq: number;
  readonly timeMs: number;
  /** Index of this trade among those of its command. */
  readonly bucket: number;
  readonly conditionId: string;
  readonly takerOrderId: string;
  readonly takerAccount: string;
  readonly takerOwner: string;
  readonly takerApiKey: string;
  /** The builder of the taker's order; '' for none. */
  readonly takerBuilder: string;
  readonly makers: readonly TradeMaker[];
}

/**
 * A trade from the view of the notified order: a maker, or the taker if it traded at the end of its
 * delay.
 */
export type NotifiedFill = Pick<
  TradeRecord,
  'tradeId' | 'transactionHash' | 'priceTicks' | 'lots' | 'takerOrderId'
>;

export interface OrderNotification {
  /** Counts from 1 over all owners in order of time; the same in a rebuilt projection. */
  readonly id: number;
  /** A fill, or a cancellation that the owner did not request. */
  readonly kind: 'fill' | 'cancellation';
  readonly timeMs: number;
  /** The order now, without its trades: `tradeIds` and `transactionHashes` are empty. */
  readonly order: OrderRecord;
  /** The total filled at the time, including this fill. */
  readonly filledLots: Lots;
  readonly trade?: NotifiedFill;
}

/** A notification to an owner with tokens of a market that was resolved. */
export interface ResolutionNotification
  extends Pick<OrderNotification, 'id' | 'timeMs'>,
    Omit<MarketResolved, 'kind'> {
  readonly kind: 'resolution';
  /** The lots of all accounts of the owner when the market was resolved. */
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** Kept until its owner dismisses it. */
export type NotificationRecord = OrderNotification | ResolutionNotification;

/** Who requested an action of the operator, and why. It stays listed with the action. */
export interface Attribution {
  readonly by: string;
  readonly reason: string;
  /** The second operator that asked for the same, and why; absent where one was enough. */
  readonly approval?: { readonly by: string; readonly reason: string };
}

/** A command of the operator, with who requested it and why. */
export interface ActionRecord extends Attribution {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: Command['kind'];
  readonly command: Command;
}

/** The volume of a market: what takers paid or received, in micros below 2^53, and lots. */
export interface MarketVolume {
  readonly conditionId: string;
  readonly totalMicros: WideSum;
  /** Since the first full hour after the requested time; 0 if no time was requested. */
  readonly recentMicros: WideSum;
}

/**
 * A token's midpoints in half ticks (1 to 19,999) of its own price: one value for each step from
 * `startMs` on, without gaps, each the last one known in its step.
 */
export interface PriceHistory {
  /** The start of the first step: a multiple of `stepMs` since the epoch. */
  readonly startMs: number;
  readonly stepMs: number;
  /** Empty if there are more steps than the question allows. */
  readonly halfTicks: Uint16Array;
  readonly stepCount: number;
}
