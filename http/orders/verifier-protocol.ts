/**
 * Messages between the main thread (verifier-pool.ts) and the verifier threads
 * (verifier-thread.ts).
 */
import type { OrderIdLookup } from '../../persistence/index.ts';
import type {
  RefusedOrder,
  SignedOrder,
  SigningDomain,
  VerifyOrderOptions,
} from '../signing/index.ts';

/** The data that a thread starts with. */
export interface VerifierData {
  readonly domains: readonly SigningDomain[];
  readonly journalPath: string;
  /** Whether an address has a budget of searches over all domains (search-budget.ts). */
  readonly areSearchesBounded: boolean;
  /** Whether answers say when the thread worked on them; absent for not. */
  readonly isTimed?: boolean;
}

/** One order to verify. */
export interface Verification extends Omit<VerifyOrderOptions, 'domains'> {
  readonly order: SignedOrder;
}

/** An order with a good signature, and what the journal's index says about its id. */
export interface VerifiedId {
  readonly ok: true;
  readonly orderId: string;
  /** Index of the domain it is signed for, in the settings' list. */
  readonly domain: number;
  readonly lookup: OrderIdLookup;
}

export type Verdict = VerifiedId | RefusedOrder;

export interface VerifierRequest {
  readonly id: number;
  readonly verifications: readonly Verification[];
  /** The engine remembers every order that was accepted after this seq. */
  readonly forgottenSeq: number;
}

/** The verdicts of one request, in the order of its verifications. */
export interface VerifierAnswer {
  readonly kind: 'verdicts';
  readonly id: number;
  readonly verdicts: readonly Verdict[];
  /** By `hostMs`; absent unless the thread is timed. */
  readonly work?: { readonly startMs: number; readonly endMs: number };
}
