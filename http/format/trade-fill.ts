/**
 * A trade of one participant as the live-data socket tells it (wire 8): numbers, the words of the
 * market, and both spellings of the cash (wire 0.1). It looks up no profile: names and pictures are
 * empty, and whoever wants them asks GET /trades (persistence/analytics/fill-text.ts). Pure.
 */
import {
  cashFor,
  type Lots,
  type Outcome,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import type { CatalogMarket } from '../../persistence/index.ts';
import { epochSeconds, lotsNumber, ticksNumber } from '../codec/index.ts';
import { toChecksumAddress } from '../signing/index.ts';

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
  words: Pick<CatalogMarket, 'question' | 'slug' | 'icon' | 'eventSlug' | 'outcomes'>,
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
    title: words.question,
    slug: words.slug,
    icon: words.icon,
    eventSlug: words.eventSlug,
    outcome: words.outcomes[outcome],
    outcomeIndex: outcome,
    name: '',
    pseudonym: '',
    bio: '',
    profileImage: '',
    profileImageOptimized: '',
    transactionHash: trade.transactionHash,
  };
}
