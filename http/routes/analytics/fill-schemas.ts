/**
 * Schemas of fills and activity (wire 8.7). Invariant: amounts are JSON numbers, exact and in their
 * shortest form.
 */
import { Type } from 'typebox';
import { ACTIVITY_TYPES } from '../../../persistence/index.ts';
import { Text } from '../../parameters/index.ts';

const Id = Text('Identifies the row, for `cursorId`; grows with time');
const Timestamp = Type.Integer({ description: 'Unix seconds' });
const Cash = Type.Number({ description: 'Cash: size x price, without fees' });

const MARKET_TEXTS = {
  title: Text('The question of the market'),
  slug: Type.String(),
  icon: Type.String(),
  eventSlug: Type.String(),
};

const PROFILE = {
  name: Type.String(),
  pseudonym: Type.String(),
  bio: Type.String(),
  profileImage: Type.String(),
  profileImageOptimized: Type.String(),
};

export const TradeFill = Type.Object({
  id: Id,
  proxyWallet: Text('Account of the participant'),
  side: Type.Enum(['BUY', 'SELL']),
  asset: Text('The token id; `<condition id>:<outcome index>` in the dialect kuest'),
  conditionId: Type.String(),
  size: Type.Number({ description: 'Tokens' }),
  price: Type.Number({ description: 'Per token' }),
  timestamp: Timestamp,
  usdcSize: Cash,
  stablecoinSize: Cash,
  ...MARKET_TEXTS,
  outcome: Type.String(),
  outcomeIndex: Type.Integer(),
  ...PROFILE,
  transactionHash: Text('The same for all participants of a trade'),
});

export const Activity = Type.Object({
  id: Id,
  type: Type.Enum([...ACTIVITY_TYPES]),
  proxyWallet: Type.String(),
  side: Type.Enum(['BUY', 'SELL', ''], { description: 'Set for trades; otherwise empty' }),
  asset: Text('Empty for complete sets'),
  conditionId: Type.String(),
  size: Type.Number({ description: 'Tokens, or complete sets' }),
  price: Type.Number({ description: 'Price of a trade, otherwise 0' }),
  timestamp: Timestamp,
  usdcSize: Type.Number({ description: 'Cash paid or received, without fees' }),
  stablecoinSize: Type.Number({ description: 'Same as `usdcSize`' }),
  ...MARKET_TEXTS,
  outcome: Text('Empty for complete sets'),
  outcomeIndex: Type.Integer({ description: '999 for complete sets' }),
  ...PROFILE,
  transactionHash: Text('Hash of a trade, otherwise empty'),
});
