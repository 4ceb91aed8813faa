/**
 * The matching engine: the rules of the exchange, in memory and without side effects. Other folders
 * import from here, or from `model/index.ts` if they only need its data types.
 *
 * Where to look:
 *
 * | question | file |
 * |---|---|
 * | what happens to a command | `engine.ts` (`apply`), then `perform.ts` (its table of handlers) |
 * | which commands and events exist | `model/commands.ts`, `model/events.ts`, `model/rejects.ts` |
 * | what the engine takes | `model/inputs.ts`; `inputs.ts` makes it from a command |
 * | how an order is checked | `orders/check-order.ts` (`checkOrder` lists the checks in order) |
 * | how orders match | `orders/matching.ts`; the queues of a price are in `book/book.ts` |
 * | where a fill's fee is computed | `fees/order-fees.ts` (`charge`), from `fees/formulas.ts` |
 * | where a fill's fee is paid | `orders/matching.ts` (`chargeFees`) |
 * | what an account has | `state/ledger.ts` (cash), `state/positions.ts` (tokens) |
 * | what must always hold | `views/validate.ts`; after each command `state/collateral.ts` |
 * | what a snapshot contains | `snapshot/head.ts` (`SECTIONS`) |
 *
 * Rooms, lowest layer first: model, book, fees, state, steps, views, accounts, orders, money,
 * markets, snapshot. A room imports only rooms before it.
 */
export { writeOrderId } from './book/index.ts';
export * from './engine.ts';
export { budgetFees, type FeeRates, maximumFees } from './fees/formulas.ts';
export { DEFAULT_TERMS } from './markets/market-terms.ts';
export * from './model/index.ts';
export { SnapshotLoader } from './snapshot-loader.ts';
export type { ChangedBalance, CountedSteps, MarketSteps } from './steps/step-counts.ts';
export type { OwnerCopy } from './views/owner-view.ts';
