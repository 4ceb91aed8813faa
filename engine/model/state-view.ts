/**
 * The whole state of an engine as plain records in one fixed order, whatever the implementation:
 * the base of the state hash, of the comparison with the naive twin and of `validate`.
 */
import { createHash } from 'node:crypto';
import type {
  Command,
  CreateMarket,
  KeyPurpose,
  OrderType,
  Outcome,
  SetBuilder,
  Standing,
  TradingState,
  TradingTerms,
  Wallet,
} from './commands.ts';
import type { RestingOrder } from './events.ts';
import type { MarketStatus } from './market-status.ts';
import type { Lots, Micros, Ticks } from './units.ts';

export interface MarketState extends Required<Omit<CreateMarket, 'kind'>> {
  readonly status: MarketStatus;
  /** Of the terms that were changed or can be, those it was created with. */
  readonly original: TradingTerms;
  /** Complete sets in existence; 0 once it is resolved. */
  readonly setsLots: Lots;
  /** What a YES lot pays; null until it is resolved. */
  readonly payoutTicks: Ticks | null;
  /** What the tokens of a resolved market are worth together. */
  readonly owedMicros: Micros;
  /** Best price first, then first come first. */
  readonly bids: readonly RestingOrder[];
  readonly asks: readonly RestingOrder[];
}

export interface PositionState {
  readonly conditionId: string;
  readonly outcome: Outcome;
  readonly availableLots: Lots;
  readonly heldLots: Lots;
}

export interface AccountState {
  readonly address: string;
  readonly owner: string;
  readonly wallet: Wallet;
  readonly availableMicros: Micros;
  readonly heldMicros: Micros;
  /** Those that are not empty, by the market's order of creation, then YES before NO. */
  readonly positions: readonly PositionState[];
}

/** A live order with the names of what it is for. */
export interface OwnedOrder extends RestingOrder {
  readonly conditionId: string;
  readonly tokenId: string;
  /** Of one that waits for its market's delay; else 0. */
  readonly budgetMicros: Micros;
  /** Until when it waits; 0 for one that does not. */
  readonly releaseMs: number;
}

/** What one owner has and wants. */
export interface OwnerState {
  readonly accounts: readonly AccountState[];
  readonly orders: readonly OwnedOrder[];
}

/** Of one asset of an account: micros of cash, or lots of a token. */
export interface Balance {
  readonly available: number;
  readonly held: number;
}

/** What an account has of a market, available and held: at least one lot. */
export interface Holder {
  readonly account: string;
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** An order that waits for the end of its delay. */
export interface DelayedOrderState extends RestingOrder {
  readonly conditionId: string;
  readonly budgetMicros: Micros;
  readonly releaseMs: number;
  /** Its owner's dead man's switch tripped: nothing of it comes to rest. */
  readonly isTripped: boolean;
}

/** Which order waits for the end of its delay, and where. */
export interface DelayedOrderRef {
  readonly orderId: string;
  readonly conditionId: string;
  readonly tokenId: string;
}

/** Sums over all accounts and markets. */
export interface Totals {
  readonly liveOrders: number;
  /** Available and held, of all accounts; with `lockedMicros`, deposits less withdrawals. */
  readonly cashMicros: number;
  /** Behind complete sets. */
  readonly lockedMicros: number;
  readonly depositedMicros: number;
  readonly withdrawnMicros: number;
}

/** What is remembered of a closed order, oldest closed first. */
export interface RecentOrder {
  readonly orderId: string;
  readonly acceptedSeq: number;
  readonly type: OrderType;
  readonly postOnly: boolean;
  readonly expiresAtMs: number;
}

export interface ApiKeyState {
  readonly owner: string;
  readonly nonce: string;
  readonly apiKey: string;
  readonly purpose: KeyPurpose;
  readonly isRevoked: boolean;
}

/** A dead man's switch that waits for its beats to stop. */
export interface ArmedSwitch {
  readonly owner: string;
  readonly heartbeatId: string;
}

/** A neg-risk event that was opened. */
export interface EventState {
  readonly eventId: string;
  /** In order of creation. */
  readonly conditionIds: readonly string[];
  readonly noneConditionId: string;
  /** Converted so far; 0 once it is resolved. */
  readonly bundlesLots: Lots;
  /** The market that resolved to YES; null before. */
  readonly winner: string | null;
}

/** Of an owner that is not good. */
export interface StandingState {
  readonly owner: string;
  readonly standing: Standing;
}

/** What a builder's code earns. */
export type BuilderState = Omit<SetBuilder, 'kind'>;

export interface IdempotencyKeyState {
  readonly command: Command['kind'];
  /** Within which the key is unique; '' for the operator. */
  readonly owner: string;
  readonly key: string;
  readonly account: string;
  /** What was moved, beside cash: '' for nothing, or ids of markets. */
  readonly subject: string;
  /** What was asked for: micros of cash, or lots. */
  readonly amount: number;
  /** What was done: what the account gained of cash, or lost, and the tokens that went with it. */
  readonly amountMicros: Micros;
  readonly yesLots: Lots;
  readonly noLots: Lots;
}

/** Lists are in order of creation unless they say otherwise. */
export interface StateView {
  readonly depositedMicros: Micros;
  readonly withdrawnMicros: Micros;
  /** Of the exchange. */
  readonly tradingState: TradingState;
  readonly markets: Iterable<MarketState>;
  /** In order of acceptance. */
  readonly delayedOrders: Iterable<DelayedOrderState>;
  /** Neg-risk events, in order of opening. */
  readonly events: Iterable<EventState>;
  /** Condition ids of markets where everybody is being redeemed, in the order of resolution. */
  readonly redeeming: Iterable<string>;
  readonly accounts: Iterable<AccountState>;
  readonly recentOrders: Iterable<RecentOrder>;
  /** The highest accepted seq that was dropped from `recentOrders`; 0 for none. */
  readonly forgottenSeq: number;
  /** With those revoked. */
  readonly apiKeys: Iterable<ApiKeyState>;
  /** In order of arming. */
  readonly switches: Iterable<ArmedSwitch>;
  /** In order of the last change. */
  readonly standings: Iterable<StandingState>;
  /** In order of being set first. */
  readonly builders: Iterable<BuilderState>;
  readonly idempotencyKeys: Iterable<IdempotencyKeyState>;
}

/** The state as lines of text, each a JSON array whose first element says what it is. */
export function* stateLines(state: StateView): Generator<string> {
  yield JSON.stringify(['cash', state.depositedMicros, state.withdrawnMicros]);
  yield JSON.stringify(['trading', state.tradingState]);
  for (const { bids, asks, ...market } of state.markets) {
    yield JSON.stringify(['market', Object.entries(market).sort(byName)]);
    for (const order of bids) yield JSON.stringify(['bid', Object.entries(order).sort(byName)]);
    for (const order of asks) yield JSON.stringify(['ask', Object.entries(order).sort(byName)]);
  }
  for (const order of state.delayedOrders) {
    yield JSON.stringify(['delayed', Object.entries(order).sort(byName)]);
  }
  for (const event of state.events) {
    yield JSON.stringify(['event', Object.entries(event).sort(byName)]);
  }
  yield JSON.stringify(['redeeming', ...state.redeeming]);
  for (const account of state.accounts) {
    const { positions, ...rest } = account;
    yield JSON.stringify(['account', Object.entries(rest).sort(byName)]);
    for (const held of positions) {
      yield JSON.stringify(['position', Object.entries(held).sort(byName)]);
    }
  }
  yield JSON.stringify(['forgotten', state.forgottenSeq]);
  for (const order of state.recentOrders) {
    yield JSON.stringify(['recent', Object.entries(order).sort(byName)]);
  }
  for (const key of state.apiKeys) {
    yield JSON.stringify(['api_key', Object.entries(key).sort(byName)]);
  }
  for (const armed of state.switches) {
    yield JSON.stringify(['switch', Object.entries(armed).sort(byName)]);
  }
  for (const standing of state.standings) {
    yield JSON.stringify(['standing', Object.entries(standing).sort(byName)]);
  }
  for (const builder of state.builders) {
    yield JSON.stringify(['builder', Object.entries(builder).sort(byName)]);
  }
  for (const key of state.idempotencyKeys) {
    yield JSON.stringify(['money_key', Object.entries(key).sort(byName)]);
  }
}

/** SHA-256 of the state's lines, in lower-case hex. It depends on no implementation. */
export function stateHash(state: StateView): string {
  const hash = createHash('sha256');
  for (const line of stateLines(state)) hash.update(line).update('\n');
  return hash.digest('hex');
}

function byName(a: [string, unknown], b: [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}
