/**
 * Fills and activity of accounts, as the thread of analytics writes them (interface.md "Trade
 * fill", wire 8.7): schemas alone. Invariant: amounts are JSON numbers, exact, in their shortest
 * form.
 */
import { Type } from 'typebox';
import { ACTIVITY_TYPES } from '../../../persistence/index.ts';

const Id = Type.String({ description: 'Names the row, and grows with time: for `cursorId`' });
const Timestamp = Type.Integer({ description: 'Unix seconds' });
const Cash = Type.Number({ description: 'Cash: size times price, without fees' });

const WORDS = {
  title: Type.String({ description: 'The question of the market' }),
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
  proxyWallet: Type.String({ description: 'Account of the participant' }),
  side: Type.Enum(['BUY', 'SELL']),
  asset: Type.String({ description: 'Condition id and index of the outcome: `0x...:0`' }),
  conditionId: Type.String(),
  size: Type.Number({ description: 'Tokens' }),
  price: Type.Number({ description: 'Of a token' }),
  timestamp: Timestamp,
  usdcSize: Cash,
  stablecoinSize: Cash,
  ...WORDS,
  outcome: Type.String(),
  outcomeIndex: Type.Integer(),
  ...PROFILE,
  transactionHash: Type.String({ description: 'The same for all participants of a trade' }),
});

export const Activity = Type.Object({
  id: Id,
  type: Type.Enum([...ACTIVITY_TYPES]),
  proxyWallet: Type.String(),
  side: Type.Enum(['BUY', 'SELL', ''], { description: 'Of a trade' }),
  asset: Type.String({ description: 'Empty for complete sets' }),
  conditionId: Type.String(),
  size: Type.Number({ description: 'Tokens; of complete sets, sets' }),
  price: Type.Number({ description: 'Of a trade; else 0' }),
  timestamp: Timestamp,
  usdcSize: Type.Number({ description: 'Cash that was paid or received, without fees' }),
  stablecoinSize: Type.Number({ description: 'The same' }),
  ...WORDS,
  outcome: Type.String({ description: 'Empty for complete sets' }),
  outcomeIndex: Type.Integer({ description: '999 for complete sets' }),
  ...PROFILE,
  transactionHash: Type.String({ description: 'Of a trade; else empty' }),
});
