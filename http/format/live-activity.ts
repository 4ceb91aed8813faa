/**
 * The newest trades of a market for the live-activity routes (wire 1.7), from the taker's view. The
 * user is an address: names and pictures are empty.
 */
import { Type } from 'typebox';
import type { TradeRecord } from '../../persistence/index.ts';
import { epochSeconds, lotsText, ticksText } from '../codec/index.ts';
import { Text } from '../parameters/index.ts';
import { toChecksumAddress } from '../signing/address.ts';
import type { MarketTexts } from './order.ts';

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
