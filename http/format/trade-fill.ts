/**
 * A trade of one participant for the live-data channel (wire 8), with both spellings of the cash
 * (wire 0.1). Names and pictures are empty; GET /trades has them. Pure.
 */
import {
  cashFor,
  type Lots,
  type Outcome,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import { epochSeconds, lotsNumber, ticksNumber } from '../codec/index.ts';
import { toChecksumAddress } from '../signing/index.ts';
import type { MarketTexts } from './market-texts.ts';

export interface FilledTrade {
  readonly account: string;
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
    proxyWallet: toChecksumAddress(trade.account),
    side: trade.side,
    asset: `${conditionId}:${outcome}`,
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
    name: '',
    pseudonym: '',
    bio: '',
    profileImage: '',
    profileImageOptimized: '',
    transactionHash: trade.transactionHash,
  };
}
