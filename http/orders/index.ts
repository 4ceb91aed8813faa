/**
 * The intake of orders: parsing, signature checks in verifier threads, and sequencing.
 */
export { haltedAmong, haltedOrders } from './halted-orders.ts';
export { type DeadMansSwitches, Heartbeats, timersOf } from './heartbeats.ts';
export {
  type CancelFilter,
  type CancelOutcome,
  OrderIntake,
  type PlacementPreview,
} from './intake.ts';
export type { IntakeObserver } from './intake-observer.ts';
export { type Measures, measure } from './measure.ts';
export { checkOrderKey, checkOrderToken } from './order-command.ts';
export { type SignedContent, signedContent } from './order-evidence.ts';
export { OrderRefusal, OrderResult, refusalKeys, refusalOf } from './result.ts';
export { signatureError } from './signature-error.ts';
export { readSubmission, type Submission, SubmissionBody, ZERO_WORD } from './submission.ts';
export { VerifierPool } from './verifier-pool.ts';
