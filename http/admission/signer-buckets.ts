/**
 * The venue's limits of each signer: a bucket of tokens for orders and one for cancels, which fill
 * at a steady rate up to a burst. An order, a cancel and an order id cost one token each, a cancel
 * of all orders one and one more for each order that it cancels. Rates and bursts are those of the
 * signer's tier, which follows from what it traded in 30 days.
 *
 * Invariant: a request whose cost is not there is refused whole and takes nothing; what a cancel of
 * all orders costs beyond its first token is taken afterwards, so a bucket may be overdrawn, or in
 * the tiers that do not overdraw, emptied. No request but that for the tier waits for a volume:
 * until it is read, a signer has its last tier, and at first the lowest. One volume is read at a
 * time, and that of a signer at most once in `TIER_MS`.
 * Bound: `HTTP_BOUNDS.limitCounters` signers; the one that was idle longest is forgotten, with
 * buckets that are full again after some seconds.
 */
import { strict as assert } from 'node:assert';
import { MINUTE_MS, SECOND_MS } from '../../engine/model/index.ts';
import type { Counted } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import type { HeaderList } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import type { SignerTier } from '../profiles/profile-schema.ts';
import type { Logger } from '../runtime/log.ts';

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

/** How long a tier stays as it is, whatever its signer trades. */
export const TIER_MS = 5 * MINUTE_MS;

interface Bucket {
  tokens: number;
  filledMs: number;
}

interface Signer extends Readonly<Record<Kind, Bucket>> {
  tier: SignerTier;
  /** When the volume is read again; Infinity while it is being read. */
  staleMs: number;
  /** The last read of the volume. */
  read: Promise<void>;
}

/** What an owner traded in 30 days, in units of cash. */
export type VolumeOf = (owner: string) => Promise<number>;

export interface SignerBucketsOptions {
  /** From the lowest, which begins at 0. */
  readonly tiers: readonly SignerTier[];
  /** Milliseconds since the epoch, for the header that names a time. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

const NO_HEADERS: HeaderList = [];

function rateOf(tier: SignerTier, kind: Kind): number {
  return tier[`${kind}Rate`];
}

function burstOf(tier: SignerTier, kind: Kind): number {
  return tier[`${kind}Burst`];
}

/** The bucket with what it gained since it was used last. */
function filled(signer: Signer, kind: Kind, nowMs: number): Bucket {
  const { tier, [kind]: bucket } = signer;
  const gained = (rateOf(tier, kind) * (nowMs - bucket.filledMs)) / SECOND_MS;
  bucket.tokens = Math.min(burstOf(tier, kind), bucket.tokens + gained);
  bucket.filledMs = nowMs;
  return bucket;
}

/** Seconds until `cost` tokens are there, or until the bucket is full if they never are. */
function waitSeconds(signer: Signer, kind: Kind, cost: number): number {
  const { tier } = signer;
  const wanted = Math.min(cost, burstOf(tier, kind));
  return Math.max(0, Math.ceil((wanted - signer[kind].tokens) / rateOf(tier, kind)));
}

export class SignerBuckets {
  readonly #options: SignerBucketsOptions;
  /** By owner, the one that was used last at the end. */
  readonly #signers = new Map<string, Signer>();
  #volumeOf: VolumeOf = () => Promise.resolve(0);
  #lastRead = Promise.resolve();

  constructor(options: SignerBucketsOptions) {
    this.#options = options;
  }

  /** Reads volumes with this function from now on. */
  readVolumes(volumeOf: VolumeOf): void {
    this.#volumeOf = volumeOf;
  }

  /**
   * Takes what a request costs and returns the venue's headers. Throws `too_many_requests`.
   * `nowMs`: a clock that never goes back.
   */
  take({ route, owner, weight }: Counted, nowMs: number): HeaderList {
    const kind = route && KINDS[`${route.method} ${route.path}`];
    if (kind === undefined || owner === '') return NO_HEADERS;
    const signer = this.#signerOf(owner, nowMs);
    const bucket = filled(signer, kind, nowMs);
    if (weight > bucket.tokens) throw this.#refusal(signer, kind, weight);
    bucket.tokens -= weight;
    return this.#headers(signer, kind, 1);
  }

  /** Takes what a cancel of all orders costs beyond its first token. */
  chargeCanceled(owner: string, count: number): void {
    const signer = this.#signers.get(owner);
    if (signer === undefined) return;
    const left = signer.cancel.tokens - count;
    signer.cancel.tokens = signer.tier.overdraws ? left : Math.max(0, left);
  }

  /** The tier of a signer, after the read of its volume if one is due. */
  async tierOf(owner: string, nowMs: number): Promise<SignerTier> {
    const signer = this.#signerOf(owner, nowMs);
    await signer.read;
    return signer.tier;
  }

  #tierFor(volume: number): SignerTier {
    const tier = this.#options.tiers.findLast(({ leastVolume }) => volume >= leastVolume);
    assert(tier !== undefined, 'the lowest tier begins at 0');
    return tier;
  }

  #signerOf(owner: string, nowMs: number): Signer {
    const signer = this.#signers.get(owner) ?? this.#newSigner(nowMs);
    this.#signers.delete(owner);
    this.#signers.set(owner, signer);
    if (this.#signers.size > HTTP_BOUNDS.limitCounters) {
      const [idle = ''] = this.#signers.keys();
      this.#signers.delete(idle);
    }
    if (nowMs >= signer.staleMs) {
      signer.staleMs = Number.POSITIVE_INFINITY;
      signer.read = this.#lastRead.then(() => this.#readTier(owner, signer, nowMs));
      this.#lastRead = signer.read;
    }
    return signer;
  }

  #newSigner(nowMs: number): Signer {
    const tier = this.#tierFor(0);
    return {
      tier,
      order: { tokens: tier.orderBurst, filledMs: nowMs },
      cancel: { tokens: tier.cancelBurst, filledMs: nowMs },
      staleMs: nowMs,
      read: this.#lastRead,
    };
  }

  async #readTier(owner: string, signer: Signer, nowMs: number): Promise<void> {
    // It was forgotten meanwhile.
    if (this.#signers.get(owner) !== signer) return;
    try {
      signer.tier = this.#tierFor(await this.#volumeOf(owner));
    } catch (err) {
      this.#options.log.warn({ err, owner }, 'the volume of a signer is not known: its tier stays');
    }
    signer.staleMs = nowMs + TIER_MS;
  }

  #headers(signer: Signer, kind: Kind, cost: number): HeaderList {
    const nowSeconds = Math.ceil(this.#options.now() / SECOND_MS);
    return [
      ['poly-ratelimit-remaining', String(Math.floor(signer[kind].tokens))],
      ['poly-ratelimit-reset', String(nowSeconds + waitSeconds(signer, kind, cost))],
      ['poly-ratelimit-tier', signer.tier.tier],
    ];
  }

  #refusal(signer: Signer, kind: Kind, cost: number): ApiError {
    const burst = burstOf(signer.tier, kind);
    const retryAfterSeconds = Math.max(1, waitSeconds(signer, kind, cost));
    return new ApiError(
      'too_many_requests',
      {
        limit: burst,
        actual: cost,
        windowSeconds: burst / rateOf(signer.tier, kind),
        scope: SCOPES[kind],
        row: `signer-${kind}s`,
        retryAfterSeconds,
        ...(cost > burst ? { reason: 'a cost above the burst never succeeds' } : {}),
      },
      [['retry-after', String(retryAfterSeconds)], ...this.#headers(signer, kind, cost)],
    );
  }
}
