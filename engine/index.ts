/** The public face of the engine: other folders import from here, or from facts.ts alone. */
export * from './engine.ts';
export * from './model/index.ts';
export {
  type AccountState,
  type ApiKeyState,
  type ArmedSwitch,
  type Balance,
  type BuilderState,
  type DelayedState,
  type EventState,
  type Holder,
  type MarketState,
  type MoneyKeyState,
  type OwnedOrder,
  type OwnerState,
  type PositionState,
  type RecentOrder,
  type StandingState,
  type StateView,
  stateHash,
  stateLines,
  type Totals,
  type WaitingOrder,
} from './model/index.ts';
export { ImageLoader } from './snapshot-loader.ts';
export { budgetFees, type FeeRates, mostFees } from './state/index.ts';
