/**
 * The mutable state of the engine, and the checks and changes that several commands share.
 *
 * - `engine-state.ts` is the one object that holds everything; `market.ts`, `ledger.ts` (cash),
 *   `positions.ts` (tokens), `api-keys.ts` and `neg-risk-event.ts` are its parts.
 * - `taker.ts` is the order being matched; `live-orders.ts` puts orders on the book, holds their
 *   funds and closes them.
 * - `trading-checks.ts`, `balance-checks.ts` and `idempotency.ts` are checks that answer a refusal.
 * - `collateral.ts` counts complete sets and asserts the conservation of money.
 *
 * A check named after a fault returns it, or undefined, and changes nothing. Any other check returns
 * a boolean; when it returns false it has already pushed the answer, so its caller only returns.
 * Handlers change nothing but `taker` and `idWords` until all checks have passed.
 */
export type { ApiKey } from './api-keys.ts';
export { cashFault, tokenFault } from './balance-checks.ts';
export { changeSets, checkCash, checkMarket } from './collateral.ts';
export {
  answerKnown,
  type Clearing,
  type DelayedOrder,
  EngineState,
  findMarket,
  findOpenedEvent,
  type MemoryOptions,
  passes,
  refusal,
  reject,
  type UnfinishedOrder,
} from './engine-state.ts';
export {
  isKeyWellFormed,
  isNewMovement,
  type Movement,
  moneyKeyName,
  rememberMovement,
} from './idempotency.ts';
export type { Ledger, Owner } from './ledger.ts';
export {
  announce,
  cancelResting,
  closeOrder,
  closeResting,
  enlist,
  enlistAll,
  feesOf,
  holdMicros,
  noteFinerTickCandidate,
  reportLevel,
  restOrder,
} from './live-orders.ts';
export { type Market, type MarketTerms, type Token, tradingTermsOf } from './market.ts';
export { lockedMicrosOf, type NegRiskEvent } from './neg-risk-event.ts';
export type { Positions } from './positions.ts';
export { POSITIONS_AT_ONCE } from './redemptions.ts';
export { Taker, takesBudget } from './taker.ts';
export { TouchedRows } from './touched-rows.ts';
export {
  exchangeState,
  isExchangeRunning,
  isRunning,
  isTrading,
  marketFault,
} from './trading-checks.ts';
