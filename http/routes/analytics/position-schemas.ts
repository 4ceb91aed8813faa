/**
 * Positions, holders and figures of accounts and markets, as the thread of analytics writes them
 * (interface.md "Resources and their fields", wire 8.7): schemas alone.
 *
 * Invariant: amounts are JSON numbers made of whole ones: what is counted is exact, in its shortest
 * form; an average price or a percentage is rounded to 6 decimals, half away from zero.
 */
import { Type } from 'typebox';
import { DateOrNull } from '../../format/index.ts';

function money(description: string) {
  return Type.Number({ description });
}

const MARKET_WORDS = {
  title: Type.String(),
  slug: Type.String(),
  icon: Type.String(),
  eventSlug: Type.String(),
  outcome: Type.String(),
  outcomeIndex: Type.Integer(),
  oppositeOutcome: Type.String(),
  oppositeAsset: Type.String(),
};

const Asset = Type.String({ description: 'Condition id and index of the outcome: `0x...:0`' });

export const ClosedPosition = Type.Object({
  proxyWallet: Type.String(),
  asset: Asset,
  conditionId: Type.String(),
  size: money('Tokens that were bought in all'),
  avgPrice: money('What was paid for one of them'),
  initialValue: money('What was paid in all'),
  currentValue: money('0: nothing is left'),
  cashPnl: money('As realizedPnl'),
  percentPnl: money('As percentRealizedPnl'),
  totalBought: money('As size'),
  realizedPnl: money('What was received less what was paid and the fees'),
  percentRealizedPnl: money('The same in percent of what was paid'),
  curPrice: money('What the outcome pays, or its last price'),
  redeemable: Type.Boolean({ description: 'false: who can redeem it has not closed it' }),
  mergeable: Type.Boolean({ description: 'false' }),
  ...MARKET_WORDS,
  timestamp: Type.Integer({ description: 'When it was closed, Unix seconds' }),
  endDate: DateOrNull,
});

export const OpenPosition = Type.Object({
  proxyWallet: Type.String(),
  asset: Asset,
  conditionId: Type.String(),
  size: money('Tokens that are held, those that orders hold included'),
  avgPrice: money('What one of them cost'),
  initialValue: money('What they cost in all'),
  currentValue: money('Size times curPrice'),
  cashPnl: money('currentValue less initialValue'),
  percentPnl: money('The same in percent of initialValue'),
  totalBought: money('Tokens that were bought in all'),
  realizedPnl: money('Of what was given away already, fees taken off'),
  percentRealizedPnl: money('The same in percent of all that was paid'),
  curPrice: money('What the outcome pays, else its last price, else its midpoint, else 0.5'),
  redeemable: Type.Boolean({ description: 'The market is resolved, and this outcome pays' }),
  mergeable: Type.Boolean({ description: 'Both outcomes are held of a market not resolved' }),
  ...MARKET_WORDS,
  timestamp: Type.Integer({ description: 'When it last changed, Unix seconds' }),
  endDate: DateOrNull,
  negativeRisk: Type.Boolean({ description: 'Its event has exactly one winner' }),
});

export const HolderGroup = Type.Object({
  token: Asset,
  holders: Type.Array(
    Type.Object({
      proxyWallet: Type.String(),
      bio: Type.String(),
      asset: Asset,
      pseudonym: Type.String(),
      amount: money('Tokens that are held'),
      displayUsernamePublic: Type.Boolean(),
      outcomeIndex: Type.Integer(),
      name: Type.String(),
      profileImage: Type.String(),
      profileImageOptimized: Type.String(),
    }),
    { description: 'Those who hold most first' },
  ),
});

export const MarketFigure = Type.Object({
  market: Type.String({ description: 'Condition id' }),
  value: money('Collateral'),
});

export const Leader = Type.Object({
  rank: Type.String({ description: 'From 1' }),
  proxyWallet: Type.String(),
  userName: Type.String({ description: 'The name, or the pseudonym of who gave none' }),
  vol: money('Cash of the trades of the period, as taker and as maker'),
  pnl: money('Profit that was realised in the period, fees taken off'),
  profileImage: Type.String(),
  xUsername: Type.Union([Type.String(), Type.Null()]),
  verifiedBadge: Type.Union([Type.Boolean(), Type.Null()]),
});
