/**
 * The whole state of an engine as plain records in one fixed order. It does not depend on the
 * implementation: the state hash and the comparison with the reference engine of the tests use it.
 * Invariant: the hash covers the names of the records' fields, so they never change.
 */
import { createHash } from 'node:crypto';
import type { IdempotencyKeyState } from './bounds.ts';
import type {
  ArmSwitch,
  Command,
  CreateMarket,
  IssueApiKey,
  OpenAccount,
  Outcome,
  PlaceOrder,
  SetBuilder,
  SetStanding,
  TradingState,
  TradingTerms,
} from './commands.ts';
import type { EventOpened, RestingOrder } from './events.ts';
import type { Lots, Micros, Ticks } from './units.ts';

// The form in which the whole state leaves the engine and comes back: byte arrays (parts) in a
// fixed order. Invariant: equal states make equal parts, whatever their history and their layout in
// memory, and an engine loaded from the parts continues exactly as the one that wrote them. Bound:
// a part has at most SNAPSHOT_PART_BYTES, so that memory never has to hold a whole snapshot.

/** Any change of what the parts hold gets a new number; a reader refuses all other numbers. */
export const SNAPSHOT_FORMAT = 1;

export const SNAPSHOT_PART_BYTES = 8 * 1024 * 1024;

export interface SnapshotPart {
  /** The name of the part's section; the parts of a section follow each other. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Thrown for a snapshot that does not have this form or that contradicts itself. */
export class SnapshotError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SnapshotError';
  }
}

// The states that a market goes through. The engine keeps them as small integers, so that placing
// an order checks the exchange's state and the market's in one comparison: both are 0 when open.

/** A trading state, or one of the two final states, in which a market never trades again. */
export type MarketStatus = TradingState | 'closed' | 'resolved';

const STATUSES: readonly MarketStatus[] = ['open', 'cancel_only', 'halted', 'closed', 'resolved'];

export const OPEN = 0;
export const HALTED = 2;
export const CLOSED = 3;
export const RESOLVED = 4;

export function statusName(status: number): MarketStatus {
  return STATUSES[status]!;
}

/** The number of a trading state; -1 for any other text. */
export function stateNumber(state: TradingState): number {
  return STATUSES.slice(0, CLOSED).indexOf(state);
}

export interface MarketState extends Required<Omit<CreateMarket, 'kind'>> {
  readonly status: MarketStatus;
  /** The changeable terms, as they were at creation. */
  readonly original: TradingTerms;
  /** Complete sets in existence; 0 once it is resolved. */
  readonly setsLots: Lots;
  /** What a YES lot pays; null until it is resolved. */
  readonly payoutTicks: Ticks | null;
  /** What all tokens of a resolved market are worth together. */
  readonly owedMicros: Micros;
  /** Best price first, then by time. */
  readonly bids: readonly RestingOrder[];
  readonly asks: readonly RestingOrder[];
}

export interface PositionState {
  readonly conditionId: string;
  readonly outcome: Outcome;
  readonly availableLots: Lots;
  readonly heldLots: Lots;
}

export interface AccountState extends Pick<OpenAccount, 'address' | 'owner' | 'wallet'> {
  readonly availableMicros: Micros;
  readonly heldMicros: Micros;
  /** Only non-empty ones, in the markets' order of creation, then YES before NO. */
  readonly positions: readonly PositionState[];
}

/** A live order with its market and token. */
export interface OwnedOrder extends RestingOrder {
  readonly conditionId: string;
  readonly tokenId: string;
  /** The budget of a delayed order; else 0. */
  readonly budgetMicros: Micros;
  /** When a delayed order is released; 0 for a resting one. */
  readonly releaseMs: number;
}

/** An owner's accounts and live orders. */
export interface OwnerState {
  readonly accounts: readonly AccountState[];
  readonly orders: readonly OwnedOrder[];
}

/** One asset of an account, in micros of cash or lots of a token. */
export interface Balance {
  readonly available: number;
  readonly held: number;
}

/** An account's tokens of a market, available and held together: at least one lot. */
export interface Holder {
  readonly account: string;
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** An order whose delay is not over. */
export interface DelayedOrderState extends Omit<OwnedOrder, 'tokenId'> {
  /** Whether its owner's dead man's switch tripped: then what it does not fill is cancelled. */
  readonly isTripped: boolean;
}

/** An order that the next command continues. */
export type UnfinishedOrderState = Omit<OwnedOrder, 'tokenId' | 'releaseMs'>;

/** Identifies a delayed order. */
export type DelayedOrderRef = Pick<OwnedOrder, 'orderId' | 'conditionId' | 'tokenId'>;

/** Sums over all accounts and markets. */
export interface Totals {
  readonly liveOrders: number;
  /** Available and held. Together with `lockedMicros` it is deposits less withdrawals. */
  readonly cashMicros: number;
  /** Collateral behind complete sets and behind tokens of resolved markets. */
  readonly lockedMicros: number;
  readonly depositedMicros: number;
  readonly withdrawnMicros: number;
}

/** What the engine remembers of a closed order. */
export interface RecentOrder
  extends Pick<PlaceOrder, 'orderId' | 'type' | 'postOnly' | 'expiresAtMs'> {
  readonly acceptedSeq: number;
}

export interface ApiKeyState extends Required<Omit<IssueApiKey, 'kind'>> {
  readonly isRevoked: boolean;
}

/** An armed dead man's switch. */
export type ArmedSwitch = Omit<ArmSwitch, 'kind'>;

export interface EventState extends Omit<EventOpened, 'kind'> {
  /** Lots converted so far; 0 once it is resolved. */
  readonly bundlesLots: Lots;
  /** The market that resolved to YES; null before. */
  readonly winner: string | null;
}

/** The standing of an owner, if it is not good. */
export type StandingState = Omit<SetStanding, 'kind'>;

/** The terms of a builder code. */
export type BuilderState = Omit<SetBuilder, 'kind'>;

/** Lists are in order of creation unless their comment says otherwise. */
export interface StateView {
  readonly depositedMicros: Micros;
  readonly withdrawnMicros: Micros;
  /** The trading state of the whole exchange. */
  readonly tradingState: TradingState;
  readonly markets: Iterable<MarketState>;
  /** In order of acceptance. */
  readonly delayedOrders: Iterable<DelayedOrderState>;
  /** At most one. */
  readonly unfinishedOrders: Iterable<UnfinishedOrderState>;
  /** A command that has ended some of the orders that it ends; at most one. */
  readonly unfinishedCommands: Iterable<Command>;
  /** Neg-risk events, in order of opening. */
  readonly events: Iterable<EventState>;
  /** Condition ids of markets in automatic redemption, in order of resolution. */
  readonly redeeming: Iterable<string>;
  readonly accounts: Iterable<AccountState>;
  /** Oldest closed first. */
  readonly recentOrders: Iterable<RecentOrder>;
  /** The highest `acceptedSeq` that was dropped from `recentOrders`; 0 for none. */
  readonly forgottenSeq: number;
  /** Including revoked keys. */
  readonly apiKeys: Iterable<ApiKeyState>;
  /** In order of arming. */
  readonly switches: Iterable<ArmedSwitch>;
  /** In order of the last change. */
  readonly standings: Iterable<StandingState>;
  /** In order of the first setting. */
  readonly builders: Iterable<BuilderState>;
  /** Those in memory, oldest first. */
  readonly idempotencyKeys: Iterable<IdempotencyKeyState>;
  /** The seq that indexed the key that was forgotten last; 0 for none. */
  readonly forgottenKeySeq: number;
}

/** The state as lines of text, each a JSON array whose first element names its kind. */
export function* stateLines(state: StateView): Generator<string> {
  yield JSON.stringify(['cash', state.depositedMicros, state.withdrawnMicros]);
  yield JSON.stringify(['trading', state.tradingState]);
  for (const { bids, asks, ...market } of state.markets) {
    yield* linesOf('market', [market]);
    yield* linesOf('bid', bids);
    yield* linesOf('ask', asks);
  }
  yield* linesOf('delayed', state.delayedOrders);
  yield* linesOf('unfinished', state.unfinishedOrders);
  yield* linesOf('unfinished_command', state.unfinishedCommands);
  yield* linesOf('event', state.events);
  yield JSON.stringify(['redeeming', ...state.redeeming]);
  for (const { positions, ...account } of state.accounts) {
    yield* linesOf('account', [account]);
    yield* linesOf('position', positions);
  }
  yield JSON.stringify(['forgotten', state.forgottenSeq]);
  yield* linesOf('recent', state.recentOrders);
  yield* linesOf('api_key', state.apiKeys);
  yield* linesOf('switch', state.switches);
  yield* linesOf('standing', state.standings);
  yield* linesOf('builder', state.builders);
  yield* linesOf('money_key', state.idempotencyKeys);
  yield JSON.stringify(['forgotten_key', state.forgottenKeySeq]);
}

/** One line for each record: its fields in the order of their names. */
function* linesOf(kind: string, records: Iterable<object>): Generator<string> {
  for (const record of records) yield JSON.stringify([kind, Object.entries(record).sort(byName)]);
}

/** SHA-256 of the state's lines, in lower-case hex. */
export function stateHash(state: StateView): string {
  const hash = createHash('sha256');
  for (const line of stateLines(state)) hash.update(line).update('\n');
  return hash.digest('hex');
}

function byName(a: [string, unknown], b: [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

// The state without single orders and balances: what exists, on which terms, and how much rests at
// each price. Book views and other readers start from it.

/** A price level in YES ticks, and the total size that rests there. */
export type LevelSummary = readonly [priceTicks: Ticks, lots: Lots];

export interface MarketSummary
  extends Omit<MarketState, 'original' | 'setsLots' | 'owedMicros' | 'bids' | 'asks'> {
  /** Best price first. */
  readonly bids: readonly LevelSummary[];
  readonly asks: readonly LevelSummary[];
}

/**
 * Lists are in order of creation unless their comment says otherwise. Each list can be read several
 * times, until the next command.
 */
export interface StateSummary
  extends Pick<StateView, 'tradingState' | 'apiKeys' | 'standings' | 'builders'> {
  readonly markets: Iterable<MarketSummary>;
  /** Neg-risk events, in order of opening. */
  readonly events: Iterable<Pick<EventState, 'eventId' | 'conditionIds'>>;
  readonly accounts: Iterable<Pick<AccountState, 'address' | 'owner' | 'wallet'>>;
}
