/**
 * What the main thread and the verifier threads say to each other. Both ends of it:
 * verifier-pool.ts and verifier-thread.ts.
 */
import type { OrderIdIndexOptions, OrderIdLookup } from '../../persistence/index.ts';
import type { RefusedOrder, SignedOrder, SigningDomain } from '../signing/index.ts';

/** What a thread is started with. */
export interface VerifierData {
  readonly domains: readonly SigningDomain[];
  readonly orderIds: OrderIdIndexOptions;
  /** Whether an address has only so many searches of all domains (search-budget.ts). */
  readonly areSearchesBounded: boolean;
}

/** One order to verify. */
export interface Verification {
  readonly order: SignedOrder;
  readonly negRisk: boolean;
  /** The owner of the API key that sends it, a lower-case address. */
  readonly keyAddress: string;
  /** The owner that the maker is bound to; undefined while it is bound to nobody. */
  readonly makerOwner: string | undefined;
}

/** A good order, and what the journal's index knows of its id. */
export interface VerifiedId {
  readonly ok: true;
  readonly orderId: string;
  /** Index of the domain it is signed for, in the settings' list. */
  readonly domain: number;
  readonly lookup: OrderIdLookup;
}

export type Verdict = VerifiedId | RefusedOrder;

/** Verifications that arrived in one turn of the event loop. */
export interface VerifierRequest {
  readonly id: number;
  readonly verifications: readonly Verification[];
  /** The engine knows of every order accepted after it. */
  readonly forgottenSeq: number;
}

/** Their verdicts, in the same order. */
export interface VerifierAnswer {
  readonly id: number;
  readonly verdicts: readonly Verdict[];
}

/** Ends a thread; it closes what it holds. */
export const CLOSE = 'close';
/** The first message of a thread: it is open. */
export const OPENED = 'opened';
