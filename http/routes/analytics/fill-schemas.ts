/**
 * Schemas of fills and activity (wire 8.7). Invariant: amounts are JSON numbers, exact and in their
 * shortest form.
 */
import { Type } from 'typebox';
import { ACTIVITY_TYPES } from '../../../persistence/index.ts';
import { FILL_FIELDS, MARKET_TEXTS, PROFILE_TEXTS } from '../../format/index.ts';
import { Text } from '../../parameters/index.ts';

const Id = Text('Identifies the row, for `cursorId`; grows with time');

export const TradeFill = Type.Object({ id: Id, ...FILL_FIELDS });

export const Activity = Type.Object({
  id: Id,
  type: Type.Enum([...ACTIVITY_TYPES]),
  proxyWallet: Type.String(),
  side: Type.Enum(['BUY', 'SELL', ''], { description: 'Set for trades; otherwise empty' }),
  asset: Text('Empty for complete sets'),
  conditionId: Type.String(),
  size: Type.Number({ description: 'Tokens, or complete sets' }),
  price: Type.Number({ description: 'Price of a trade, otherwise 0' }),
  timestamp: Type.Integer({ description: 'Unix seconds' }),
  usdcSize: Type.Number({ description: 'Cash paid or received, without fees' }),
  stablecoinSize: Type.Number({ description: 'Same as `usdcSize`' }),
  ...MARKET_TEXTS,
  outcome: Text('Empty for complete sets'),
  outcomeIndex: Type.Integer({ description: '999 for complete sets' }),
  ...PROFILE_TEXTS,
  transactionHash: Text('Hash of a trade, otherwise empty'),
});
