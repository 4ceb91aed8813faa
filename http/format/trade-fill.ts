/**
 * A trade of one participant, with both spellings of its cash (wire 0.1): a row of `GET /trades`,
 * and a message of the live-data channel (wire 7.2). Pure.
 *
 * Invariant: amounts are JSON numbers, exact and in their shortest form.
 */
import { Type } from 'typebox';
import {
  cashFor,
  type Lots,
  type Outcome,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import type { AccountProfile, TradeRecord } from '../../persistence/index.ts';
import { epochSeconds, lotsNumber, lotsText, ticksNumber, ticksText } from '../codec/index.ts';
import { Text } from '../parameters/index.ts';
import { toChecksumAddress } from '../signing/address.ts';
import type { MarketTexts } from './order.ts';

const HASH = '^0x[0-9a-f]{64}$';
const Cash = Type.Number({ description: 'Cash: size x price, without fees' });

/** The texts of a market, and of the profile of an account. */
export const MARKET_TEXTS = {
  title: Text('The question of the market'),
  slug: Type.String(),
  icon: Type.String(),
  eventSlug: Type.String(),
} as const;

export const PROFILE_TEXTS = {
  name: Type.String(),
  pseudonym: Type.String(),
  bio: Type.String(),
  profileImage: Type.String(),
  profileImageOptimized: Type.String(),
} as const;

export const FILL_FIELDS = {
  proxyWallet: Type.String({
    description: 'Account of the participant, EIP-55',
    pattern: '^0x[0-9a-fA-F]{40}$',
  }),
  side: Type.Enum(['BUY', 'SELL']),
  asset: Text('The token id; `<condition id>:<outcome index>` in the dialect kuest'),
  conditionId: Type.String({ description: 'Condition id', pattern: HASH }),
  size: Type.Number({ description: 'Tokens' }),
  price: Type.Number({ description: 'Per token' }),
  timestamp: Type.Integer({ description: 'Unix seconds' }),
  usdcSize: Cash,
  stablecoinSize: Cash,
  ...MARKET_TEXTS,
  outcome: Text('The name of the outcome that the participant traded'),
  outcomeIndex: Type.Integer({ minimum: 0 }),
  ...PROFILE_TEXTS,
  transactionHash: Type.String({
    description: 'The same for all participants of a trade',
    pattern: HASH,
  }),
} as const;
type FillFields = Type.Static<Type.TObject<typeof FILL_FIELDS>>;

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
): FillFields {
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

// The newest trades of a market for the live-activity routes (wire 1.7), from the taker's view. The
// user is an address: names and pictures are empty.

export const MarketTradeEvent = Type.Object({
  event_type: Type.Literal('trade'),
  market: Type.Object({
    condition_id: Type.String(),
    asset_id: Text("The taker's token"),
    question: Type.String(),
    icon: Type.String(),
    slug: Type.String(),
  }),
  user: Type.Object({
    address: Text('Account of the taker, EIP-55'),
    username: Text('Empty, like the other names and pictures'),
    profile_picture: Type.String(),
    optimized_profile_picture: Type.String(),
    pseudonym: Type.String(),
  }),
  side: Type.Enum(['BUY', 'SELL']),
  size: Text('Outcome tokens'),
  fee_rate_bps: Type.String(),
  price: Text("Price of the taker's token"),
  outcome: Type.String(),
  outcome_index: Type.Integer(),
  transaction_hash: Type.String(),
  timestamp: Text('Seconds since the epoch'),
});

export function formatTradeEvent(
  trade: TradeRecord,
  texts: MarketTexts,
): Type.Static<typeof MarketTradeEvent> {
  return {
    event_type: 'trade',
    market: {
      condition_id: trade.conditionId,
      asset_id: trade.tokenId,
      question: texts.question,
      icon: texts.icon,
      slug: texts.slug,
    },
    user: {
      address: toChecksumAddress(trade.takerAccount),
      username: '',
      profile_picture: '',
      optimized_profile_picture: '',
      pseudonym: '',
    },
    side: trade.side,
    size: lotsText(trade.lots),
    fee_rate_bps: '0',
    price: ticksText(trade.priceTicks),
    outcome: texts.outcomes[trade.outcome],
    outcome_index: trade.outcome,
    transaction_hash: trade.transactionHash,
    timestamp: `${epochSeconds(trade.timeMs)}`,
  };
}
