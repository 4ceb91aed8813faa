/** The live-data socket as the document tells it (wire 7.2); it is told by live-channel.ts. */
import { Type } from 'typebox';
import {
  addressText,
  COMMON_CLOSINGS,
  conditionId,
  FAULT,
  hash32,
  PING,
  PONG,
  type StreamChannel,
  type StreamMessage,
  side,
} from './message.ts';

const slug = (what: string) => Type.Optional(Type.String({ description: `${what}, in any case` }));

const Filters = Type.Union(
  [
    Type.Object({
      event_slug: slug("An event's slug"),
      eventSlug: slug('The same'),
      market_slug: slug("A market's slug"),
      marketSlug: slug('The same'),
    }),
    Type.String({ description: 'The same as JSON text' }),
  ],
  { description: 'Everything, when it is left out' },
);

const Subscription = Type.Object({
  topic: Type.String({
    description: '`activity`; nothing is told of others, which are accepted all the same',
  }),
  type: Type.Optional(
    Type.String({ default: '*', description: '`trades`, `orders_matched`, or `*` for both' }),
  ),
  filters: Type.Optional(Filters),
});

const asking = (action: 'subscribe' | 'unsubscribe', summary: string): StreamMessage => ({
  name: action,
  summary,
  payload: Type.Object({
    action: Type.Literal(action, { description: 'In any case' }),
    subscriptions: Type.Array(Subscription),
  }),
});

const Trade = Type.Object({
  proxyWallet: addressText('Account of the taker'),
  side,
  asset: Type.String({ description: 'Condition id, a colon and the index of the outcome' }),
  conditionId,
  size: Type.Number({ description: 'Outcome tokens' }),
  price: Type.Number({ description: "Of the taker's token" }),
  timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  usdcSize: Type.Number({ description: 'Collateral' }),
  stablecoinSize: Type.Number({ description: 'The same' }),
  title: Type.String({ description: "The market's question" }),
  slug: Type.String(),
  icon: Type.String(),
  eventSlug: Type.String(),
  outcome: Type.String({ description: "The name of the taker's outcome" }),
  outcomeIndex: Type.Integer({ minimum: 0 }),
  name: Type.String({ description: 'Empty, as the other names and pictures' }),
  pseudonym: Type.String(),
  bio: Type.String(),
  profileImage: Type.String(),
  profileImageOptimized: Type.String(),
  transactionHash: hash32('Of the trade'),
  type: Type.Literal('TRADE'),
  id: Type.String({ description: 'UUID' }),
  tags: Type.Array(Type.String(), { description: 'Slugs' }),
  creator: Type.String({ description: 'Of the event, as the catalog has it; may be empty' }),
});

const telling = (type: 'trades' | 'orders_matched', summary: string): StreamMessage => ({
  name: type,
  summary,
  payload: Type.Object({
    connection_id: Type.String({ description: "The stream's id, the same for all" }),
    topic: Type.Literal('activity'),
    type: Type.Literal(type),
    timestamp: Type.Integer({ description: 'When it was made; milliseconds since the epoch' }),
    payload: Trade,
  }),
});

export const LIVE_CHANNEL: StreamChannel = {
  name: 'live',
  address: '/ws/live',
  title: 'Trades of all markets as they happen',
  description:
    "Public. Each trade once a type, in the taker's view, with the words of its market. Messages " +
    'here have no sequence: who needs each trade listens to its market.',
  asked: [
    asking('subscribe', 'Begins to listen to trades of everything, an event or a market'),
    asking('unsubscribe', 'Takes back what was subscribed to in the same words'),
    PING,
  ],
  told: [
    telling('trades', 'A trade, to who asked for `trades`'),
    telling('orders_matched', 'The same trade, to who asked for `orders_matched`'),
    FAULT,
    PONG,
  ],
  closings: COMMON_CLOSINGS,
};
