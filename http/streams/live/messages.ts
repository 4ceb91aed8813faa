/**
 * The messages of the live-data channel, each with its schema (wire 7.2).
 */
import { type TSchema, Type } from 'typebox';
import { Comment, FILL_FIELDS, openObject, Reaction } from '../../format/index.ts';
import {
  CLOSINGS,
  message,
  RECEIVED_ALWAYS,
  SENT_ALWAYS,
  type SentMessages,
  TIME_MS,
  word,
} from '../delivery/messages.ts';

const FILTERS = Type.Object({
  event_slug: Type.Optional(
    Type.String({ description: "An event's slug, in upper or lower case" }),
  ),
  eventSlug: Type.Optional(Type.String({ description: 'The same as event_slug' })),
  market_slug: Type.Optional(
    Type.String({ description: "A market's slug; for trades only, in upper or lower case" }),
  ),
  marketSlug: Type.Optional(Type.String({ description: 'The same as market_slug' })),
  parentEntityID: Type.Optional(
    Type.Union([Type.Integer(), Type.String()], {
      description: 'The subject of comments; for comments only',
    }),
  ),
  parentEntityType: Type.Optional(
    Type.String({
      default: 'Event',
      description: '`Event` or `Series`, in upper or lower case; with `parentEntityID`',
    }),
  ),
});

const SUBSCRIPTIONS = Type.Array(
  Type.Object({
    topic: Type.String({
      description: '`activity` or `comments`; other topics are accepted but have no messages',
    }),
    type: Type.Optional(
      Type.String({ default: '*', description: "One of the topic's types, or `*` for all" }),
    ),
    filters: Type.Optional(
      Type.Union([FILTERS, Type.String({ description: 'The same object as JSON text' })], {
        description: 'Everything by default',
      }),
    ),
  }),
);

function request<const Action extends string>(action: Action, summary: string) {
  return message(summary, Type.Object({ action: word(action), subscriptions: SUBSCRIPTIONS }));
}

function published<const Topic extends string, Payload extends TSchema>(
  topic: Topic,
  payload: Payload,
) {
  return <const Name extends string>(type: Name, summary: string) =>
    message(
      summary,
      Type.Object({
        connection_id: Type.String({ description: "The stream's id, the same for all clients" }),
        topic: Type.Literal(topic),
        type: Type.Literal(type),
        timestamp: TIME_MS,
        payload,
      }),
    );
}

const trade = published(
  'activity',
  Type.Object({
    ...FILL_FIELDS,
    type: Type.Literal('TRADE'),
    id: Type.String({ description: 'UUID' }),
    tags: Type.Array(Type.String(), { description: 'Slugs' }),
    creator: Type.String({
      description: 'The creator of the event in the catalog; may be empty',
    }),
  }),
);

const comment = published('comments', Comment);

const reaction = published(
  'comments',
  openObject({
    ...Reaction.properties,
    parentEntityType: Type.String({ description: 'What the comment is about' }),
    parentEntityID: Type.Integer(),
    comment: Comment,
  }),
);

export const LIVE_CHANNEL = {
  name: 'live',
  address: '/ws/live',
  title: 'Trades and comments of all markets as they happen',
  description: [
    "Public. Each trade is sent once for each type, from the taker's point of view, with the",
    'texts of its market. Messages have no sequence: to get every trade, use the market channel.',
    'Comments and reactions are sent after they are durable; their `replies` are empty.',
  ],
  received: {
    subscribe: request(
      'subscribe',
      'Subscribes to trades or comments, of everything or of one subject',
    ),
    unsubscribe: request('unsubscribe', 'Removes a subscription with the same content'),
    ...RECEIVED_ALWAYS,
  },
  sent: {
    trades: trade('trades', 'A trade, to subscribers of `trades`'),
    orders_matched: trade('orders_matched', 'The same trade, to subscribers of `orders_matched`'),
    comment_created: comment(
      'comment_created',
      'A new comment, or a hidden one that is shown again',
    ),
    comment_removed: comment(
      'comment_removed',
      'A removed comment, as it was before its author or the operator removed it',
    ),
    reaction_created: reaction('reaction_created', 'A new reaction, with its comment'),
    reaction_removed: reaction('reaction_removed', 'A reaction that was removed, with its comment'),
    ...SENT_ALWAYS,
  },
  closings: CLOSINGS,
} as const;

export type LiveMessages = SentMessages<typeof LIVE_CHANNEL>;
