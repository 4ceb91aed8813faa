/**
 * The venue's limits of each signer: a bucket of tokens for orders and one for cancels, which fill
 * at a steady rate up to a burst. An order, a cancel and an order id cost one token each, a cancel
 * of all orders one and one more for each order that it cancels.
 *
 * Invariant: a request whose cost is not there is refused whole and takes nothing; what a cancel of
 * all orders costs beyond its first token is taken afterwards, so a bucket may be overdrawn.
 * Bound: `HTTP_BOUNDS.limitCounters` signers; the one that was idle longest is forgotten, with
 * buckets that are full again after some seconds.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { Counted } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import type { HeaderList } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import type { SignerLimits } from '../profiles/profile-schema.ts';

type Kind = 'order' | 'cancel';

/** Which bucket a route takes from; the routes of the venue's table. */
const KINDS: Readonly<Record<string, Kind>> = {
  'POST /order': 'order',
  'POST /orders': 'order',
  'DELETE /order': 'cancel',
  'DELETE /orders': 'cancel',
  'DELETE /cancel-all': 'cancel',
  'DELETE /cancel-market-orders': 'cancel',
};

const SCOPES = {
  order: 'orders of a signer, each of a batch',
  cancel: 'cancels of a signer, each id, and each order that a cancel of all cancels',
} as const;

interface Bucket {
  tokens: number;
  filledMs: number;
}

const NO_HEADERS: HeaderList = [];

export class SignerBuckets {
  readonly #limits: SignerLimits;
  readonly #now: () => number;
  /** By owner, the one that was used last at the end. */
  readonly #signers = new Map<string, Readonly<Record<Kind, Bucket>>>();

  /** `now`: milliseconds since the epoch, for the header that names a time. */
  constructor(limits: SignerLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Takes what a request costs and returns the venue's headers. Throws `too_many_requests`.
   * `nowMs`: a clock that never goes back.
   */
  take({ route, owner, weight }: Counted, nowMs: number): HeaderList {
    const kind = route && KINDS[`${route.method} ${route.path}`];
    if (kind === undefined || owner === '') return NO_HEADERS;
    const bucket = this.#filled(owner, kind, nowMs);
    if (weight > bucket.tokens) throw this.#refusal(kind, bucket, weight);
    bucket.tokens -= weight;
    return this.#headers(kind, bucket, 1);
  }

  /** Takes what a cancel of all orders costs beyond its first token. */
  chargeCanceled(owner: string, count: number): void {
    const bucket = this.#signers.get(owner)?.cancel;
    if (bucket !== undefined) bucket.tokens -= count;
  }

  #rate(kind: Kind): number {
    return kind === 'order' ? this.#limits.orderRate : this.#limits.cancelRate;
  }

  #burst(kind: Kind): number {
    return kind === 'order' ? this.#limits.orderBurst : this.#limits.cancelBurst;
  }

  #filled(owner: string, kind: Kind, nowMs: number): Bucket {
    const known = this.#signers.get(owner);
    const buckets = known ?? {
      order: { tokens: this.#burst('order'), filledMs: nowMs },
      cancel: { tokens: this.#burst('cancel'), filledMs: nowMs },
    };
    this.#signers.delete(owner);
    this.#signers.set(owner, buckets);
    if (this.#signers.size > HTTP_BOUNDS.limitCounters) {
      const [idle = ''] = this.#signers.keys();
      this.#signers.delete(idle);
    }
    const bucket = buckets[kind];
    const gained = (this.#rate(kind) * (nowMs - bucket.filledMs)) / SECOND_MS;
    bucket.tokens = Math.min(this.#burst(kind), bucket.tokens + gained);
    bucket.filledMs = nowMs;
    return bucket;
  }

  /** Seconds until `cost` tokens are there, or until the bucket is full if they never are. */
  #waitSeconds(kind: Kind, { tokens }: Bucket, cost: number): number {
    const wanted = Math.min(cost, this.#burst(kind));
    return Math.max(0, Math.ceil((wanted - tokens) / this.#rate(kind)));
  }

  #headers(kind: Kind, bucket: Bucket, cost: number): HeaderList {
    const seconds = Math.ceil(this.#now() / SECOND_MS) + this.#waitSeconds(kind, bucket, cost);
    return [
      ['poly-ratelimit-remaining', String(Math.floor(bucket.tokens))],
      ['poly-ratelimit-reset', String(seconds)],
      ['poly-ratelimit-tier', this.#limits.tier],
    ];
  }

  #refusal(kind: Kind, bucket: Bucket, cost: number): ApiError {
    const burst = this.#burst(kind);
    const retryAfterSeconds = Math.max(1, this.#waitSeconds(kind, bucket, cost));
    return new ApiError(
      'too_many_requests',
      {
        limit: burst,
        actual: cost,
        windowSeconds: burst / this.#rate(kind),
        scope: SCOPES[kind],
        row: `signer-${kind}s`,
        retryAfterSeconds,
        ...(cost > burst ? { reason: 'a cost above the burst never succeeds' } : {}),
      },
      [['retry-after', String(retryAfterSeconds)], ...this.#headers(kind, bucket, cost)],
    );
  }
}
