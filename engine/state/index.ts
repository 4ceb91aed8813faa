/**
 * The state of the engine: the core record, the ledger, fees and market states, with the few
 * changes that several commands share.
 */
export { hasCash, hasTokens } from './balance-checks.ts';
export { collectFees, feesOf } from './collect-fees.ts';
export {
  Core,
  cancelResting,
  changeSets,
  checkCash,
  checkMarket,
  closeOrder,
  closeResting,
  type DelayedOrder,
  enlist,
  holdMicros,
  type Market,
  type MarketTerms,
  type NegRiskEvent,
  noteCandidate,
  type MemoryOptions,
  reject,
  reportLevel,
  restOrder,
  type Token,
} from './core.ts';
export { type Builder, charges, MarketFees, scheduleFor } from './fee-schedules.ts';
export { budgetFees, type FeeRates, feesDue, maximumFees } from './fees.ts';
export type { Owner } from './ledger.ts';
export { isMoneyKey, isNewMovement, type Movement, rememberMovement } from './money-keys.ts';
export { isOfEvent, lockedMicrosOf, openedEvent } from './neg-risk-event.ts';
export { OrderFees, type OrderSchedule } from './order-fees.ts';
export { type Taker, takesBudget } from './taker.ts';
export {
  exchangeState,
  isExchangeRunning,
  isOpen,
  isRunning,
  isTrading,
  setTradingState,
} from './trading-state.ts';
