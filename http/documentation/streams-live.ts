/** The live-data socket as the document tells it (wire 7.2); it is told by live-channel.ts. */
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
      market_slug: slug("A market's slug; of trades alone"),
      marketSlug: slug('The same'),
      parentEntityID: Type.Optional(
        Type.Union([Type.Integer(), Type.String()], {
          description: 'What is commented on; of comments alone',
        }),
      ),
      parentEntityType: Type.Optional(
        Type.String({
          default: 'Event',
          description: '`Event`, `Series` or `market`, in any case; with `parentEntityID`',
        }),
      ),
    }),
    Type.String({ description: 'The same as JSON text' }),
  ],
  { description: 'Everything, when it is left out' },
);

const Subscription = Type.Object({
  topic: Type.String({
    description:
      '`activity` or `comments`; nothing is told of others, which are accepted all the same',
  }),
  type: Type.Optional(
    Type.String({ default: '*', description: "One of the topic's types, or `*` for all" }),
  ),
  filters: Type.Optional(Filters),
});

function asking(action: 'subscribe' | 'unsubscribe', summary: string): StreamMessage {
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

function telling(type: 'trades' | 'orders_matched', summary: string): StreamMessage {
  return {
    name: type,
    summary,
    payload: Type.Object({
      connection_id: Type.String({ description: "The stream's id, the same for all" }),
      topic: Type.Literal('activity'),
      type: Type.Literal(type),
      timestamp: Type.Integer({ description: 'When it was made; milliseconds since the epoch' }),
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

function tellingOf(
  type: CommentMessageType,
  summary: string,
  further: Readonly<Record<string, TSchema>> = {},
): StreamMessage {
  return {
    name: type,
    summary,
    payload: Type.Object({
      connection_id: Type.String({ description: "The stream's id, the same for all" }),
      topic: Type.Literal('comments'),
      type: Type.Literal(type),
      timestamp: Type.Integer({ description: 'When it was made; milliseconds since the epoch' }),
      payload: Type.Object({ ...Comment.properties, ...further }),
    }),
  };
}

export const LIVE_CHANNEL: StreamChannel = {
  name: 'live',
  address: '/ws/live',
  title: 'Trades of all markets, and what people say of them, as they happen',
  description:
    "Public. Each trade once a type, in the taker's view, with the words of its market. Messages " +
    'here have no sequence: who needs each trade listens to its market. Comments and reactions ' +
    'are told once the catalog has them on its disk; `replies` is empty there.',
  asked: [
    asking('subscribe', 'Begins to listen to trades or comments, of everything or of one thing'),
    asking('unsubscribe', 'Takes back what was subscribed to in the same words'),
    PING,
  ],
  told: [
    telling('trades', 'A trade, to who asked for `trades`'),
    telling('orders_matched', 'The same trade, to who asked for `orders_matched`'),
    tellingOf('comment_created', 'A comment, as it is read; also one that is shown again'),
    tellingOf('comment_removed', 'A comment as it was, by its author or the operator'),
    tellingOf('reaction_created', 'The comment with a new reaction, and which', REACTION),
    tellingOf('reaction_removed', 'The comment without a reaction, and which it was', REACTION),
    FAULT,
    PONG,
  ],
  closings: COMMON_CLOSINGS,
};
