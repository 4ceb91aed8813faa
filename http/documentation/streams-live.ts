/** The live-data socket (wire 7.2). */
import { type TSchema, Type } from 'typebox';
import { Comment, Reaction } from '../catalog/index.ts';
import type { CommentMessageType } from '../streams/live/index.ts';
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
} from './streams-message.ts';

function slug(what: string) {
  return Type.Optional(Type.String({ description: `${what}, in any case` }));
}

const Filters = Type.Union(
  [
    Type.Object({
      event_slug: slug("An event's slug"),
      eventSlug: slug('The same'),
      market_slug: slug("A market's slug; for trades only"),
      marketSlug: slug('The same'),
      parentEntityID: Type.Optional(
        Type.Union([Type.Integer(), Type.String()], {
          description: 'The subject of comments; for comments only',
        }),
      ),
      parentEntityType: Type.Optional(
        Type.String({
          default: 'Event',
          description: '`Event`, `Series` or `market`, in any case; with `parentEntityID`',
        }),
      ),
    }),
    Type.String({ description: 'The same object as JSON text' }),
  ],
  { description: 'Everything by default' },
);

const Subscription = Type.Object({
  topic: Type.String({
    description: '`activity` or `comments`; other topics are accepted but have no messages',
  }),
  type: Type.Optional(
    Type.String({ default: '*', description: "One of the topic's types, or `*` for all" }),
  ),
  filters: Type.Optional(Filters),
});

function fromClient(action: 'subscribe' | 'unsubscribe', summary: string): StreamMessage {
  return {
    name: action,
    summary,
    payload: Type.Object({
      action: Type.Literal(action, { description: 'In any case' }),
      subscriptions: Type.Array(Subscription),
    }),
  };
}

const Trade = Type.Object({
  proxyWallet: addressText('Account of the taker'),
  side,
  asset: Type.String({ description: 'Condition id, a colon and the index of the outcome' }),
  conditionId,
  size: Type.Number({ description: 'Outcome tokens' }),
  price: Type.Number({ description: "The price of the taker's token" }),
  timestamp: Type.Integer({ description: 'Seconds since the epoch' }),
  usdcSize: Type.Number({ description: 'Collateral' }),
  stablecoinSize: Type.Number({ description: 'The same' }),
  title: Type.String({ description: "The market's question" }),
  slug: Type.String(),
  icon: Type.String(),
  eventSlug: Type.String(),
  outcome: Type.String({ description: "The name of the taker's outcome" }),
  outcomeIndex: Type.Integer({ minimum: 0 }),
  name: Type.String({ description: 'Empty, like the other names and pictures' }),
  pseudonym: Type.String(),
  bio: Type.String(),
  profileImage: Type.String(),
  profileImageOptimized: Type.String(),
  transactionHash: hash32('Of the trade'),
  type: Type.Literal('TRADE'),
  id: Type.String({ description: 'UUID' }),
  tags: Type.Array(Type.String(), { description: 'Slugs' }),
  creator: Type.String({ description: 'The creator of the event in the catalog; may be empty' }),
});

function tradeMessage(type: 'trades' | 'orders_matched', summary: string): StreamMessage {
  return {
    name: type,
    summary,
    payload: Type.Object({
      connection_id: Type.String({ description: "The stream's id, the same for all clients" }),
      topic: Type.Literal('activity'),
      type: Type.Literal(type),
      timestamp: Type.Integer({
        description: 'When the message was made; milliseconds since the epoch',
      }),
      payload: Trade,
    }),
  };
}

const REACTION = {
  commentID: Type.Integer(),
  reactionType: Type.String(),
  icon: Type.String(),
  reaction: Reaction,
} as const;

function commentMessage(
  type: CommentMessageType,
  summary: string,
  further: Readonly<Record<string, TSchema>> = {},
): StreamMessage {
  return {
    name: type,
    summary,
    payload: Type.Object({
      connection_id: Type.String({ description: "The stream's id, the same for all clients" }),
      topic: Type.Literal('comments'),
      type: Type.Literal(type),
      timestamp: Type.Integer({
        description: 'When the message was made; milliseconds since the epoch',
      }),
      payload: Type.Object({ ...Comment.properties, ...further }),
    }),
  };
}

export const LIVE_CHANNEL: StreamChannel = {
  name: 'live',
  address: '/ws/live',
  title: 'Trades and comments of all markets as they happen',
  description:
    "Public. Each trade is sent once for each type, from the taker's point of view, with " +
    'texts of its ' +
    'market. Messages have no sequence: to get every trade, use the market channel. Comments and ' +
    'reactions are sent after they are durable; their `replies` are empty.',
  received: [
    fromClient('subscribe', 'Subscribes to trades or comments, of everything or of one subject'),
    fromClient('unsubscribe', 'Removes a subscription with the same content'),
    PING,
  ],
  sent: [
    tradeMessage('trades', 'A trade, to subscribers of `trades`'),
    tradeMessage('orders_matched', 'The same trade, to subscribers of `orders_matched`'),
    commentMessage('comment_created', 'A new comment, or a hidden one that is shown again'),
    commentMessage(
      'comment_removed',
      'A comment that its author or the operator removed, as it was',
    ),
    commentMessage('reaction_created', 'A comment with its new reaction', REACTION),
    commentMessage('reaction_removed', 'A comment and the reaction that was removed', REACTION),
    FAULT,
    PONG,
  ],
  closings: COMMON_CLOSINGS,
};
