/**
 * A client's message on the live-data channel (wire 7.2).
 *
 * Invariant: slugs are in lower case. Topics and types without messages are ignored, because
 * clients ask for many of them. Bound: the size of the message, and `SLUG_LENGTH`.
 */
import { COMMENT_PARENTS, type CommentParent } from '../../../persistence/index.ts';
import { isObject, parsedJson } from '../../codec/index.ts';
import { StreamError } from '../delivery/close-codes.ts';
import { type ClientMessage, malformed } from '../delivery/subscription.ts';

export const LIVE_TYPES = ['trades', 'orders_matched'] as const;
export type ActivityType = (typeof LIVE_TYPES)[number];

const COMMENT_TYPES = [
  'comment_created',
  'comment_removed',
  'reaction_created',
  'reaction_removed',
] as const;
export type CommentMessageType = (typeof COMMENT_TYPES)[number];

/** Matches messages of one type: all of them, or those of an event, of a part, or of both. */
export interface LiveSubscription {
  /** Each type belongs to one topic, so the topic needs no field. */
  readonly type: ActivityType | CommentMessageType;
  /** '' for any. */
  readonly eventSlug: string;
  /** For trades the slug of a market; for comments the `parentName`. '' for any. */
  readonly part: string;
}

export interface LiveRequest {
  readonly action: 'subscribe' | 'unsubscribe';
  readonly subscriptions: readonly LiveSubscription[];
}

export function parentName({ type, id }: CommentParent): string {
  return `${type}/${id}`.toLowerCase();
}

const ACTIONS = ['subscribe', 'unsubscribe'] as const;
const SLUG_LENGTH = 256;

/** Throws `StreamError`, also for more than `limit` subscriptions. */
export function readLiveRequest(message: ClientMessage, limit: number): LiveRequest {
  const action = actionOf(message.action);
  const { subscriptions } = message;
  if (!Array.isArray(subscriptions)) return malformed('subscriptions', 'a list of objects');
  const { length: actual } = subscriptions;
  if (actual > limit) throw new StreamError('too_many_subscriptions', { limit, actual });
  return { action, subscriptions: subscriptions.flatMap(subscriptionsIn) };
}

function actionOf(value: unknown): LiveRequest['action'] {
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  const action = ACTIONS.find((known) => known === text);
  if (action !== undefined) return action;
  throw new StreamError('operation_unknown', { field: 'action', allowed: ACTIONS });
}

function subscriptionsIn(subscription: unknown): readonly LiveSubscription[] {
  if (!isObject(subscription)) return malformed('subscriptions', 'a list of objects');
  const { topic, type = '*' } = subscription;
  if (typeof topic !== 'string') return malformed('topic', 'a text');
  if (typeof type !== 'string') return malformed('type', 'a text');
  if (topic !== 'activity' && topic !== 'comments') return [];
  const filters = filtersOf(subscription.filters);
  const eventSlug = slugIn(filters, ['event_slug', 'eventSlug']);
  const isOfTrades = topic === 'activity';
  const part = isOfTrades ? slugIn(filters, ['market_slug', 'marketSlug']) : parentIn(filters);
  const types = isOfTrades ? LIVE_TYPES : COMMENT_TYPES;
  return types
    .filter((known) => type === '*' || type === known)
    .map((known) => ({ type: known, eventSlug, part }));
}

const PARENT_ID = /^[1-9]\d{0,14}$/;

/** The `parentName` that the filters ask for, by default that of an event; '' for any. */
function parentIn(filters: Readonly<Record<string, unknown>>): string {
  const { parentEntityID, parentEntityType = 'Event' } = filters;
  if (parentEntityID === undefined || parentEntityID === null) {
    if (filters.parentEntityType === undefined) return '';
    return malformed('parentEntityID', 'a numeric id, because parentEntityType is given');
  }
  const wanted = typeof parentEntityType === 'string' ? parentEntityType.toLowerCase() : '';
  const type = COMMENT_PARENTS.find((known) => known.toLowerCase() === wanted);
  if (type === undefined) return malformed('parentEntityType', COMMENT_PARENTS.join(', '));
  const isId = typeof parentEntityID === 'string' || typeof parentEntityID === 'number';
  if (!isId || !PARENT_ID.test(`${parentEntityID}`)) {
    return malformed('parentEntityID', 'a numeric id');
  }
  return parentName({ type, id: Number(parentEntityID) });
}

/** Filters come as an object or as its JSON; an absent or empty value filters nothing. */
function filtersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null || value === '') return {};
  const filters = typeof value === 'string' ? parsedJson(value) : value;
  return isObject(filters) ? filters : malformed('filters', 'an object, or its JSON as a text');
}

function slugIn(
  filters: Readonly<Record<string, unknown>>,
  names: readonly [string, string],
): string {
  const value = filters[names[0]] ?? filters[names[1]] ?? '';
  if (typeof value === 'string' && value.length <= SLUG_LENGTH) return value.toLowerCase();
  return malformed(names[0], `a text of at most ${SLUG_LENGTH} characters`);
}
