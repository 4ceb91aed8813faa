/**
 * What a venue may change without a new interface, in one record with a name and a date: a
 * *profile*. The option `--profile` names one, or a file that changes some keys of one.
 *
 * Invariant: a rule of the venue that is here stands nowhere else. `GET /limits`, `/ui/facts.json`
 * and docs/profiles.md show these records.
 */
import { ONE_TICKS, type OrderType, type Ticks } from '../../engine/model/index.ts';
import { MICRO_DECIMALS } from '../codec/index.ts';
import type { AmountDecimals, SignerTier, VenueProfile } from './profile-schema.ts';

/** The public venue's rules of decimals, by what its refusals say since 2024. */
const VENUE_DECIMALS: AmountDecimals = {
  marketBuyCash: 2,
  marketBuyTokens: 4,
  marketSellTokens: 2,
  marketSellCash: 4,
  limitTokens: 2,
  limitCashBeyondTick: 2,
};

/** A tier of the public venue: bursts last 1.5 seconds, cancels have twice the rate of orders. */
function venueTier(tier: string, leastVolume: number, orderRate: number): SignerTier {
  return {
    tier,
    leastVolume,
    orderRate,
    orderBurst: Math.floor(orderRate * 1.5),
    cancelRate: orderRate * 2,
    cancelBurst: orderRate * 3,
    overdraws: leastVolume < 2_500_000,
  };
}

/** As the public venue publishes them since July 2026. */
const VENUE_TIERS: SignerTier[] = [
  venueTier('Standard', 0, 40),
  venueTier('Copper', 30_000, 60),
  venueTier('Bronze', 50_000, 80),
  venueTier('Silver', 100_000, 200),
  venueTier('Gold', 500_000, 400),
  venueTier('Platinum', 2_500_000, 450),
  venueTier('Diamond', 5_000_000, 525),
  venueTier('Elite', 10_000_000, 600),
];

const POLYMARKET: VenueProfile = {
  name: 'polymarket-2026-10',
  date: '2026-10',
  dialect: 'polymarket',
  gtdLeadSeconds: 180,
  gtdEarlyEndSeconds: 60,
  heldAnswerSeconds: 5,
  answerHashes: false,
  signerTiers: VENUE_TIERS,
  decimals: VENUE_DECIMALS,
};

const EARLIER: VenueProfile = {
  ...POLYMARKET,
  name: 'polymarket-2026-03',
  date: '2026-03',
  gtdLeadSeconds: 60,
  gtdEarlyEndSeconds: 0,
  heldAnswerSeconds: 0,
  answerHashes: true,
  signerTiers: null,
  decimals: null,
};

export const PROFILES: readonly VenueProfile[] = [
  POLYMARKET,
  EARLIER,
  { ...EARLIER, name: 'kuest', dialect: 'kuest', gtdLeadSeconds: 180, heldAnswerSeconds: 5 },
  { ...EARLIER, name: 'open', date: '', gtdLeadSeconds: 0 },
];

export const DEFAULT_PROFILE = POLYMARKET;

/** Decimals of the two amounts of an order. */
export interface OrderDecimals {
  readonly maker: number;
  readonly taker: number;
  /** What the venue calls such orders in its refusal. */
  readonly orders: string;
}

/** The decimals of a tick: 0.005 has three. */
function tickDecimals(tick: Ticks): number {
  return String(tick / ONE_TICKS).length - 2;
}

/** The decimals that a profile allows the amounts of an order; undefined: any. */
export function decimalsFor(
  { decimals }: VenueProfile,
  { side, type, tick }: { readonly side: 0 | 1; readonly type: OrderType; readonly tick: Ticks },
): OrderDecimals | undefined {
  if (decimals === null) return undefined;
  const isMarket = type === 'FOK' || type === 'FAK';
  const orders = `${isMarket ? 'market ' : ''}${side === 0 ? 'buy' : 'sell'} orders`;
  const limitCash = Math.min(MICRO_DECIMALS, tickDecimals(tick) + decimals.limitCashBeyondTick);
  if (side === 0) {
    return isMarket
      ? { orders, maker: decimals.marketBuyCash, taker: decimals.marketBuyTokens }
      : { orders, maker: limitCash, taker: decimals.limitTokens };
  }
  return isMarket
    ? { orders, maker: decimals.marketSellTokens, taker: decimals.marketSellCash }
    : { orders, maker: decimals.limitTokens, taker: limitCash };
}
