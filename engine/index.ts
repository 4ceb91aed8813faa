/** The public face of the engine: other folders import from here, or from facts.ts alone. */
export * from './engine.ts';
export * from './model/index.ts';
export {
  type AccountState,
  type ApiKeyState,
  type ArmedSwitch,
  type Balance,
  type BuilderState,
  type DelayedOrderState,
  type EventState,
  type Holder,
  type MarketState,
  type IdempotencyKeyState,
  type OwnedOrder,
  type OwnerState,
  type PositionState,
  type RecentOrder,
  type StandingState,
  type StateView,
  stateHash,
  stateLines,
  type Totals,
  type DelayedOrderRef,
} from './model/index.ts';
export { SnapshotLoader } from './snapshot-loader.ts';
export { budgetFees, type FeeRates, maximumFees } from './state/index.ts';
