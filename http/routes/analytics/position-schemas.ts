/**
 * Schemas of positions, holders and figures of accounts and markets (wire 8.7). Invariant: amounts
 * are JSON numbers, exact and in their shortest form; only average prices and percentages are
 * rounded, to 6 decimals, half away from zero.
 */
import { Type } from 'typebox';
import { OrNull, Text, TrueFalse } from '../../parameters/index.ts';

function money(description: string) {
  return Type.Number({ description });
}

const Asset = Text('The token id; `<condition id>:<outcome index>` in the dialect kuest');

const MARKET_TEXTS = {
  title: Type.String(),
  slug: Type.String(),
  icon: Type.String(),
  eventSlug: Type.String(),
  outcome: Type.String(),
  outcomeIndex: Type.Integer(),
  oppositeOutcome: Type.String(),
  oppositeAsset: Asset,
};

export const ClosedPosition = Type.Object({
  proxyWallet: Type.String(),
  asset: Asset,
  conditionId: Type.String(),
  size: money('All tokens bought'),
  avgPrice: money('Average price paid per token'),
  initialValue: money('All cash paid'),
  currentValue: money('0, because no token is left'),
  cashPnl: money('Same as realizedPnl'),
  percentPnl: money('Same as percentRealizedPnl'),
  totalBought: money('Same as size'),
  realizedPnl: money('Cash received, less cash paid and fees'),
  percentRealizedPnl: money('realizedPnl in percent of initialValue'),
  curPrice: money('Payout of the outcome, or its last price'),
  redeemable: TrueFalse('Always false: a redeemable position is not closed'),
  mergeable: TrueFalse('Always false'),
  ...MARKET_TEXTS,
  timestamp: Type.Integer({ description: 'Time of closing, Unix seconds' }),
  endDate: Text('When the market ends, ISO 8601; without that, when the position was closed'),
});

export const OpenPosition = Type.Object({
  proxyWallet: Type.String(),
  asset: Asset,
  conditionId: Type.String(),
  size: money('Tokens held, including those held by orders'),
  avgPrice: money('Average cost per token'),
  initialValue: money('Cost of all tokens held'),
  currentValue: money('size x curPrice'),
  cashPnl: money('currentValue less initialValue'),
  percentPnl: money('cashPnl in percent of initialValue'),
  totalBought: money('All tokens bought'),
  realizedPnl: money('Profit of the tokens sold, less fees'),
  percentRealizedPnl: money('realizedPnl in percent of all cash paid'),
  curPrice: money(
    'Payout of the outcome, or the midpoint of both sides, or its last price, or 0.5',
  ),
  redeemable: TrueFalse('The market is resolved and this outcome pays'),
  mergeable: TrueFalse('Both outcomes are held and the market is not resolved'),
  ...MARKET_TEXTS,
  timestamp: Type.Integer({ description: 'Time of the last change, Unix seconds' }),
  endDate: Text('The day on which the market ends, such as 2027-06-30, or empty'),
  negativeRisk: TrueFalse('Its event has exactly one winner'),
});

export const HolderGroup = Type.Object({
  token: Asset,
  holders: Type.Array(
    Type.Object({
      proxyWallet: Type.String(),
      bio: Type.String(),
      asset: Asset,
      pseudonym: Type.String(),
      amount: money('Tokens held'),
      displayUsernamePublic: Type.Boolean(),
      outcomeIndex: Type.Integer(),
      name: Type.String(),
      profileImage: Type.String(),
      profileImageOptimized: Type.String(),
    }),
    { description: 'Largest holders first' },
  ),
});

export const MarketPositionGroup = Type.Object({
  token: Asset,
  positions: Type.Array(
    Type.Object({
      proxyWallet: Type.String(),
      name: Text('Name, or pseudonym of an account without a name'),
      profileImage: Type.String(),
      verified: Type.Boolean(),
      asset: Asset,
      conditionId: Type.String(),
      avgPrice: money('Average cost per token; of a closed position the average price paid'),
      size: money('Tokens held'),
      currPrice: money('As curPrice of a position'),
      currentValue: money('size x currPrice'),
      cashPnl: money('currentValue less the cost of the tokens held'),
      totalBought: money('All tokens bought'),
      realizedPnl: money('Profit of the tokens sold or redeemed, less fees'),
      totalPnl: money('cashPnl and realizedPnl together'),
      outcome: Type.String(),
      outcomeIndex: Type.Integer(),
    }),
  ),
});

export const MarketFigure = Type.Object({
  market: Text('Condition id'),
  value: money('Collateral'),
});

export const Leader = Type.Object({
  rank: Text('From 1'),
  proxyWallet: Type.String(),
  userName: Text('Name, or pseudonym of an account without a name'),
  vol: money('Cash of the trades in the period, as taker and as maker'),
  pnl: money('Profit realized in the period, less fees'),
  profileImage: Type.String(),
  xUsername: OrNull(Type.String()),
  verifiedBadge: OrNull(Type.Boolean()),
});

const BUILDER = {
  rank: Text('From 1'),
  builder: Text('Name of the profile of the address in its code, or else the code'),
  builderCode: Text('0x and 64 hex digits'),
  builderLogo: Text('Picture of the profile; empty if it has none'),
  volume: money('Cash traded by orders that name the builder'),
  activeUsers: Type.Integer({ description: 'Accounts of these orders' }),
  verified: Type.Boolean(),
};

export const BuilderLeader = Type.Object(BUILDER);

export const BuilderDay = Type.Object({ dt: Text('Beginning of the day, ISO 8601'), ...BUILDER });
