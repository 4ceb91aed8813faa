/**
 * What a client asks of the live-data socket (wire 7.2), read from its message.
 *
 * Invariant: slugs are in lower case; topics and types that nothing is ever told of are passed
 * over, for clients ask for all kinds of them.
 * Bound: the message's, and `SLUG_LENGTH`.
 */
import { COMMENT_PARENTS, type CommentParent } from '../../../persistence/index.ts';
import type { ClientMessage } from '../delivery/index.ts';
import { StreamError } from '../delivery/index.ts';

export const ACTIVITY_TYPES = ['trades', 'orders_matched'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

const COMMENT_TYPES = [
  'comment_created',
  'comment_removed',
  'reaction_created',
  'reaction_removed',
] as const;
export type CommentNewsType = (typeof COMMENT_TYPES)[number];

/** Of everything, or of one event, one part of whatever event, or one part of one event. */
export interface LiveWish {
  /** No topic has a type of another. */
  readonly type: ActivityType | CommentNewsType;
  /** '' for any. */
  readonly eventSlug: string;
  /** Of trades the slug of a market; of comments what is commented on: see `parentName`. */
  readonly part: string;
}

export interface LiveRequest {
  readonly action: 'subscribe' | 'unsubscribe';
  readonly wishes: readonly LiveWish[];
}

export function parentName({ type, id }: CommentParent): string {
  return `${type}/${id}`.toLowerCase();
}

const ACTIONS = ['subscribe', 'unsubscribe'] as const;
const SLUG_LENGTH = 256;

function malformed(field: string, expected: string): never {
  throw new StreamError('field_malformed', { field, expected });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `StreamError`. */
export function readLiveRequest(message: ClientMessage): LiveRequest {
  const action = actionOf(message.action);
  const { subscriptions } = message;
  if (!Array.isArray(subscriptions)) return malformed('subscriptions', 'a list of objects');
  return { action, wishes: subscriptions.flatMap(wishesOf) };
}

function actionOf(value: unknown): LiveRequest['action'] {
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  const action = ACTIONS.find((known) => known === text);
  if (action !== undefined) return action;
  throw new StreamError('operation_unknown', { field: 'action', allowed: ACTIONS });
}

function wishesOf(subscription: unknown): readonly LiveWish[] {
  if (!isObject(subscription)) return malformed('subscriptions', 'a list of objects');
  const { topic, type = '*' } = subscription;
  if (typeof topic !== 'string') return malformed('topic', 'a text');
  if (typeof type !== 'string') return malformed('type', 'a text');
  if (topic !== 'activity' && topic !== 'comments') return [];
  const filters = filtersOf(subscription.filters);
  const eventSlug = slugIn(filters, ['event_slug', 'eventSlug']);
  const isOfTrades = topic === 'activity';
  const part = isOfTrades ? slugIn(filters, ['market_slug', 'marketSlug']) : parentIn(filters);
  const types = isOfTrades ? ACTIVITY_TYPES : COMMENT_TYPES;
  return types
    .filter((known) => type === '*' || type === known)
    .map((known) => ({ type: known, eventSlug, part }));
}

const PARENT_ID = /^[1-9]\d{0,14}$/;

/** What is commented on; of an id alone, an event. '' for any. */
function parentIn(filters: Readonly<Record<string, unknown>>): string {
  const { parentEntityID, parentEntityType = 'Event' } = filters;
  if (parentEntityID === undefined || parentEntityID === null) {
    if (filters.parentEntityType === undefined) return '';
    return malformed('parentEntityID', 'a numeric id, where there is a parentEntityType');
  }
  const wanted = typeof parentEntityType === 'string' ? parentEntityType.toLowerCase() : '';
  const type = COMMENT_PARENTS.find((known) => known.toLowerCase() === wanted);
  if (type === undefined) return malformed('parentEntityType', COMMENT_PARENTS.join(', '));
  if (!PARENT_ID.test(`${parentEntityID}`)) return malformed('parentEntityID', 'a numeric id');
  return parentName({ type, id: Number(parentEntityID) });
}

/** An object, or one as JSON text; nothing, or empty text, filters nothing. */
function filtersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null || value === '') return {};
  const filters = typeof value === 'string' ? parsed(value) : value;
  return isObject(filters) ? filters : malformed('filters', 'an object, or one as JSON text');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function slugIn(
  filters: Readonly<Record<string, unknown>>,
  names: readonly [string, string],
): string {
  const value = filters[names[0]] ?? filters[names[1]] ?? '';
  if (typeof value === 'string' && value.length <= SLUG_LENGTH) return value.toLowerCase();
  return malformed(names[0], `a text of at most ${SLUG_LENGTH} characters`);
}
