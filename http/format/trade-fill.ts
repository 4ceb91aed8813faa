/**
 * A trade of one participant for the live-data channel (wire 7.2), with both spellings of its cash
 * (wire 0.1). Pure.
 */
import {
  cashFor,
  type Lots,
  type Outcome,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import type { AccountProfile } from '../../persistence/index.ts';
import { epochSeconds, lotsNumber, ticksNumber } from '../codec/index.ts';
import type { MarketTexts } from './market-texts.ts';

export interface FilledTrade {
  readonly profile: AccountProfile;
  /** The traded token, as the dialect names it. */
  readonly asset: string;
  readonly side: Side;
  readonly outcome: Outcome;
  readonly conditionId: string;
  readonly lots: Lots;
  readonly priceTicks: Ticks;
  readonly timeMs: number;
  readonly transactionHash: string;
}

const MICROS = 1_000_000;

export function formatTradeFill(
  { conditionId, outcome, lots, priceTicks, ...trade }: FilledTrade,
  texts: MarketTexts,
) {
  const cash = cashFor(lots, priceTicks) / MICROS;
  return {
    proxyWallet: trade.profile.address,
    side: trade.side,
    asset: trade.asset,
    conditionId,
    size: lotsNumber(lots),
    price: ticksNumber(priceTicks),
    timestamp: epochSeconds(trade.timeMs),
    usdcSize: cash,
    stablecoinSize: cash,
    title: texts.question,
    slug: texts.slug,
    icon: texts.icon,
    eventSlug: texts.eventSlug,
    outcome: texts.outcomes[outcome],
    outcomeIndex: outcome,
    name: trade.profile.name,
    pseudonym: trade.profile.pseudonym,
    bio: trade.profile.bio,
    profileImage: trade.profile.profileImage,
    profileImageOptimized: trade.profile.profileImageOptimized,
    transactionHash: trade.transactionHash,
  };
}
