/**
 * What a client asks of the live-data socket (wire 7.2), read from its message.
 *
 * Invariant: slugs are in lower case; topics and types that nothing is ever told of are passed
 * over, for clients ask for all kinds of them.
 * Bound: the message's, and `SLUG_LENGTH`.
 */
import type { ClientMessage } from './channel.ts';
import { StreamError } from './close-codes.ts';

export const ACTIVITY_TYPES = ['trades', 'orders_matched'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** Trades of everything, or of one event, one market, or one market of one event. */
export interface ActivityWish {
  readonly type: ActivityType;
  /** '' for any. */
  readonly eventSlug: string;
  readonly marketSlug: string;
}

export interface LiveRequest {
  readonly action: 'subscribe' | 'unsubscribe';
  readonly wishes: readonly ActivityWish[];
}

const ACTIONS = ['subscribe', 'unsubscribe'] as const;
const SLUG_LENGTH = 256;

const malformed = (field: string, expected: string): never => {
  throw new StreamError('field_malformed', { field, expected });
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws `StreamError`. */
export const readLiveRequest = (message: ClientMessage): LiveRequest => {
  const action = actionOf(message.action);
  const { subscriptions } = message;
  if (!Array.isArray(subscriptions)) return malformed('subscriptions', 'a list of objects');
  return { action, wishes: subscriptions.flatMap(wishesOf) };
};

const actionOf = (value: unknown): LiveRequest['action'] => {
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  const action = ACTIONS.find((known) => known === text);
  if (action !== undefined) return action;
  throw new StreamError('operation_unknown', { field: 'action', allowed: ACTIONS });
};

const wishesOf = (subscription: unknown): readonly ActivityWish[] => {
  if (!isObject(subscription)) return malformed('subscriptions', 'a list of objects');
  const { topic, type = '*' } = subscription;
  if (typeof topic !== 'string') return malformed('topic', 'a text');
  if (typeof type !== 'string') return malformed('type', 'a text');
  if (topic !== 'activity') return [];
  const filters = filtersOf(subscription.filters);
  const eventSlug = slugIn(filters, ['event_slug', 'eventSlug']);
  const marketSlug = slugIn(filters, ['market_slug', 'marketSlug']);
  return ACTIVITY_TYPES.filter((known) => type === '*' || type === known).map((known) => ({
    type: known,
    eventSlug,
    marketSlug,
  }));
};

/** An object, or one as JSON text; nothing, or empty text, filters nothing. */
const filtersOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (value === undefined || value === null || value === '') return {};
  const filters = typeof value === 'string' ? parsed(value) : value;
  return isObject(filters) ? filters : malformed('filters', 'an object, or one as JSON text');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const slugIn = (
  filters: Readonly<Record<string, unknown>>,
  names: readonly [string, string],
): string => {
  const value = filters[names[0]] ?? filters[names[1]] ?? '';
  if (typeof value === 'string' && value.length <= SLUG_LENGTH) return value.toLowerCase();
  return malformed(names[0], `a text of at most ${SLUG_LENGTH} characters`);
};
