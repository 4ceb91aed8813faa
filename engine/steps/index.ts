/**
 * Counts what streams number: the steps of each market and of each owner
 * (http/streams/streams.md). Both follow from the commands and the borders of their batches alone,
 * so all engines that apply the same batches count the same.
 */
export {
  type ChangedBalance,
  type CountedSteps,
  type MarketSteps,
  StepCounts,
} from './step-counts.ts';
