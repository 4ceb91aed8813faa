/**
 * The records that cross the border of this folder: what the sequencer answers, what readers
 * return. Units, addresses and ids are as in the engine's commands.
 */
import type {
  Command,
  EngineEvent,
  Lots,
  Micros,
  OrderType,
  Outcome,
  Side,
  Ticks,
} from '../../engine/index.ts';

/** What became of a command; handed out only when everything it shows is durable. */
export interface Applied {
  /** Its own seq when it changed something, else the seq of the state it was judged in. */
  readonly seq: number;
  readonly timeMs: number;
  readonly events: readonly EngineEvent[];
}

/** What an account has of one asset: micros of cash, or lots of an outcome token. */
export interface BalanceView {
  /** Whether the account is open: nothing is known of one that is not. */
  readonly isOpen: boolean;
  readonly available: number;
  /** By live orders. */
  readonly held: number;
}

/** How the store is; the seqs of the exchange say how far each part has got. */
export interface StoreHealth {
  /** Commands are taken: nothing has failed, and nothing is closing. */
  readonly isAccepting: boolean;
  /** Commands and balances that wait for the disk, of at most `waitingLimit`. */
  readonly waitingCount: number;
  readonly waitingLimit: number;
  readonly threads: readonly ThreadHealth[];
}

export interface ThreadHealth {
  /**
   * Without the journal there is nothing; without the follower, audits are refused; without the
   * others, reads: the catalog's are answered by a thread of its own, and its writes by another.
   * The follower is there from a while after the start, where no snapshots are made
   * from the first audit on; analytics from their first question on.
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

/** A snapshot that is on the disk now. */
export interface SnapshotMade {
  /** The last command that it shows. */
  readonly seq: number;
  readonly bytes: number;
  /** When it was there. */
  readonly madeMs: number;
  /** From the checks of the state to the disk. */
  readonly tookMs: number;
}

/** What a start began from. */
export interface Recovered {
  /** The last command that the snapshot showed; 0 when there was none to begin from. */
  readonly snapshotSeq: number;
  /** Commands of the journal that were replayed. */
  readonly replayed: number;
  /** What both took. */
  readonly tookMs: number;
}

/** What it came to when the whole state was added up again, at one place of the journal. */
export interface AuditReport {
  readonly ok: boolean;
  /** The first thing found that does not hold; '' for none. */
  readonly fault: string;
  /** The last command that the state shows, and its time; 0 and 0 of an empty journal. */
  readonly seq: number;
  readonly timeMs: number;
  /** SHA-256 of the state, in hex. */
  readonly stateHash: string;
  readonly totals: AuditTotals;
}

/** Available + held + locked = deposited - withdrawn. Anything when a fault was found. */
export interface AuditTotals {
  /** Cash of all accounts. */
  readonly availableMicros: number;
  readonly heldMicros: number;
  /** Of both, what the account has in which fees are collected. */
  readonly feesMicros: number;
  /** Behind complete sets, and behind what is owed for tokens of resolved markets. */
  readonly lockedMicros: number;
  readonly depositedMicros: number;
  readonly withdrawnMicros: number;
  readonly liveOrders: number;
  readonly markets: number;
  readonly accounts: number;
}

/** One journaled command with what it did, in seq order: at recovery first, then live. */
export interface DurableCommand extends Applied {
  readonly command: Command;
}

/** Where an order stands: open (`live`, or `delayed` until its release) or closed. */
export type OrderStatus = 'live' | 'delayed' | 'matched' | 'canceled' | 'unmatched';

/** An order's whole life so far, as the projector keeps it. */
export interface OrderRecord {
  readonly orderId: string;
  /** Seq of the command that placed it. */
  readonly acceptedSeq: number;
  readonly account: string;
  readonly owner: string;
  readonly apiKey: string;
  /** The builder code that was signed, 0x + 64 hex; '' for none. */
  readonly builder: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly type: OrderType;
  readonly postOnly: boolean;
  readonly priceTicks: Ticks;
  /** 0 for a FOK or FAK BUY, which names a budget. */
  readonly lots: Lots;
  readonly budgetMicros: Micros;
  readonly filledLots: Lots;
  readonly filledMicros: Micros;
  /** What it paid in fees so far, its builder's part included. */
  readonly feeMicros: Micros;
  readonly status: OrderStatus;
  /** The engine's close reason, '' while it is open. */
  readonly closeReason: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly expiresAtMs: number;
  /** Until when it had to wait before it could trade, also when that is over; 0 for not at all. */
  readonly releaseMs: number;
  /** Ids of its trades, oldest first. */
  readonly tradeIds: readonly string[];
  /** Transaction hashes of the trades in which it was the taker. */
  readonly transactionHashes: readonly string[];
}

/** What a trade cost one of its participants besides the price; zeros for nothing. */
export interface PartyFees {
  readonly feeMicros: Micros;
  /** Of these, what went to the builder of its order. */
  readonly builderFeeMicros: Micros;
  /** The rate of its part in the trade, taker's or maker's, as its order was accepted with it. */
  readonly feeBps: number;
}

/** A maker's part of a trade, in the maker's own view (wire 9.4). */
export interface TradeMaker extends PartyFees {
  readonly orderId: string;
  readonly account: string;
  readonly owner: string;
  readonly apiKey: string;
  /** Of its order; '' for none. */
  readonly builder: string;
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
}

/** One taker order at one price level; the taker's view and fees on top (wire 9.4). */
export interface TradeRecord extends PartyFees {
  readonly tradeId: string;
  /** 0x + 64 hex. */
  readonly transactionHash: string;
  readonly seq: number;
  readonly timeMs: number;
  /** Position of this trade among those of the command in which the taker order traded. */
  readonly bucket: number;
  readonly conditionId: string;
  readonly takerOrderId: string;
  readonly takerAccount: string;
  readonly takerOwner: string;
  readonly takerApiKey: string;
  /** Of the taker's order; '' for none. */
  readonly takerBuilder: string;
  readonly tokenId: string;
  readonly outcome: Outcome;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  readonly makers: readonly TradeMaker[];
}

/** An order's own view of a trade that it was in. */
export interface NotifiedFill {
  readonly tradeId: string;
  readonly transactionHash: string;
  readonly priceTicks: Ticks;
  readonly lots: Lots;
  /** The order itself, where it was delayed and traded at its release. */
  readonly takerOrderId: string;
}

/** What an owner is told of one of its orders that was open. */
export interface OrderNotification {
  /** Counts from 1 over all owners, in order of time; the same in a projection made again. */
  readonly id: number;
  /** A fill, or a close that the owner did not ask for. */
  readonly kind: 'fill' | 'cancellation';
  readonly timeMs: number;
  /** As it stands now, without its trades: `tradeIds` and `transactionHashes` are empty. */
  readonly order: OrderRecord;
  /** What the order had filled by then, this fill included. */
  readonly filledLots: Lots;
  /** Of a fill. */
  readonly trade?: NotifiedFill;
}

/** What an owner is told of a resolved market of which it had tokens. */
export interface ResolutionNotification extends Pick<OrderNotification, 'id' | 'timeMs'> {
  readonly kind: 'resolution';
  readonly conditionId: string;
  /** What a YES lot pays in micros; a NO lot pays the rest of 10,000. */
  readonly payoutTicks: Ticks;
  /** What all accounts of the owner had together when the market was resolved. */
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** What an owner is told of until it dismisses it. */
export type NotificationRecord = OrderNotification | ResolutionNotification;

/** What the operator did: a journaled command, with who asked for it and why. */
export interface ActionRecord {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: Command['kind'];
  readonly by: string;
  readonly reason: string;
  readonly command: Command;
}

/** What takers paid or received in a market, in micros below 2^53, and their lots. */
export interface MarketVolume {
  readonly conditionId: string;
  readonly totalMicros: Micros;
  readonly totalLots: Lots;
  /** Since the first full hour after the moment that was asked for; 0 when none was. */
  readonly recentMicros: Micros;
  readonly recentLots: Lots;
}

/**
 * A token's midpoints at equal steps without gaps. In half ticks, 1 to 19,999, of the token's own
 * price: one value a step from `startMs` on, each the last one known in its step.
 */
export interface PriceHistory {
  /** Start of the first step, a multiple of `stepMs` since the epoch. */
  readonly startMs: number;
  readonly stepMs: number;
  /** None of them when there are more than was asked for. */
  readonly halfTicks: Uint16Array;
  readonly stepCount: number;
}
