/**
 * Messages between the main thread (verifier-pool.ts) and the verifier threads
 * (verifier-thread.ts).
 */
import type { OrderIdLookup } from '../../persistence/index.ts';
import type { SigningDomain } from '../signing/domains.ts';
import type { SignedOrder } from '../signing/order-struct.ts';
import type { RefusedOrder, VerifyOrderOptions } from '../signing/verify-order.ts';
import type { WalletFactory } from '../signing/wallets.ts';

// A clock that threads share: `performance.now()` counts from the start of its own thread.

/** The monotonic clock of this machine in milliseconds. */
export function hostMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const START_MS = hostMs() - performance.now();

/** A time of `hostMs`, of whichever thread, as `performance.now()` of this thread. */
export function ownMs(timeMs: number): number {
  return timeMs - START_MS;
}

export interface VerifierData {
  readonly domains: readonly SigningDomain[];
  readonly wallets: readonly WalletFactory[];
  readonly journalPath: string;
  /** Whether an address has a budget of searches over all domains (search-budget.ts). */
  readonly areSearchesBounded: boolean;
  /** Whether answers say when the thread worked on them; absent for not. */
  readonly isTimed?: boolean;
}

export interface Verification extends Omit<VerifyOrderOptions, 'domains' | 'wallets'> {
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

/**
 * Verdicts as a few columns, because an object for each would cost the matching thread twice as
 * much to receive.
 */
export interface VerdictColumns {
  /** The ids of new orders with a good signature. */
  readonly orderIds: readonly string[];
  readonly domains: readonly number[];
  readonly checkedSeqs: readonly number[];
  /** All other verdicts, each with its place among all. */
  readonly others: readonly (readonly [place: number, verdict: Verdict])[];
}

/** The verdicts of one request, in the order of its verifications. */
export interface VerifierAnswer {
  readonly kind: 'verdicts';
  readonly id: number;
  readonly verdicts: VerdictColumns;
  /** By `hostMs`; absent unless the thread is timed. */
  readonly work?: { readonly startMs: number; readonly endMs: number };
}

export function verdictColumns(verdicts: readonly Verdict[]): VerdictColumns {
  const orderIds: string[] = [];
  const domains: number[] = [];
  const checkedSeqs: number[] = [];
  const others: [number, Verdict][] = [];
  for (const [place, verdict] of verdicts.entries()) {
    if (!verdict.ok || verdict.lookup.known !== undefined) {
      others.push([place, verdict]);
      continue;
    }
    orderIds.push(verdict.orderId);
    domains.push(verdict.domain);
    checkedSeqs.push(verdict.lookup.checkedSeq);
  }
  return { orderIds, domains, checkedSeqs, others };
}

export function verdictsIn({ orderIds, domains, checkedSeqs, others }: VerdictColumns): Verdict[] {
  const verdicts = orderIds.map((orderId, index): Verdict => {
    const lookup = { checkedSeq: checkedSeqs[index]!, known: undefined };
    return { ok: true, orderId, domain: domains[index]!, lookup };
  });
  for (const [place, verdict] of others) verdicts.splice(place, 0, verdict);
  return verdicts;
}
