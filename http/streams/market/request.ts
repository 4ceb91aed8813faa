/**
 * What a client asks of the market channel (wire 7.1), read from its message.
 *
 * Invariant: names are texts and not looked up here; fields that are not named are ignored.
 * Bound: the message's.
 */
import type { ClientMessage } from '../delivery/index.ts';
import { StreamError } from '../delivery/index.ts';

/** Tokens by decimal id, and markets by condition id, which stand for both of their tokens. */
export interface Names {
  readonly tokens: readonly string[];
  readonly markets: readonly string[];
}

/** Where a client left off, in each market or in the one that it names. */
export interface LeftOff {
  readonly streamId: string;
  /** Undefined where `bySequences` says it for each market. */
  readonly sequence: number | undefined;
  /** By condition id. */
  readonly sequences: ReadonlyMap<string, number>;
}

/** What a client asks of a channel to which it subscribes. */
export interface SubscriptionRequest {
  readonly operation: 'subscribe' | 'unsubscribe' | 'resume';
  readonly names: Names;
  readonly wantsDump: boolean;
  /** Of a resume. */
  readonly leftOff: LeftOff | undefined;
}

export interface MarketRequest extends SubscriptionRequest {
  /** Undefined where it says nothing of it. */
  readonly hasFeatures: boolean | undefined;
}

const OPERATIONS = ['subscribe', 'unsubscribe', 'resume'] as const;
const CHANNEL_TYPE = 'market';

/** Throws `StreamError`. */
export function readMarketRequest(message: ClientMessage): MarketRequest {
  return {
    ...readSubscription(message, CHANNEL_TYPE),
    hasFeatures: flagIn(message, 'custom_feature_enabled'),
  };
}

/** What all channels read alike; `channelType` is what `type` must be, if it is there. */
export function readSubscription(message: ClientMessage, channelType: string): SubscriptionRequest {
  const { type } = message;
  if (type !== undefined && lowered(type, 'type') !== channelType) {
    throw new StreamError('type_unknown', { field: 'type', allowed: [channelType] });
  }
  const operation = operationOf(message.operation);
  return {
    operation,
    names: {
      tokens: textsIn(message, 'assets_ids'),
      markets: textsIn(message, 'markets'),
    },
    wantsDump: flagIn(message, 'initial_dump') ?? true,
    leftOff: operation === 'resume' ? leftOffIn(message) : undefined,
  };
}

function operationOf(value: unknown): MarketRequest['operation'] {
  if (value === undefined) return 'subscribe';
  const text = lowered(value, 'operation');
  const operation = OPERATIONS.find((known) => known === text);
  if (operation !== undefined) return operation;
  throw new StreamError('operation_unknown', { field: 'operation', allowed: OPERATIONS });
}

function malformed(field: string, expected: string): never {
  throw new StreamError('field_malformed', { field, expected });
}

function lowered(value: unknown, field: string): string {
  return typeof value === 'string' ? value.toLowerCase() : malformed(field, 'a text');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function textsIn(message: ClientMessage, field: string): readonly string[] {
  const value = message[field] ?? [];
  return Array.isArray(value) && value.every(isText) ? value : malformed(field, 'a list of texts');
}

function flagIn(message: ClientMessage, field: string): boolean | undefined {
  const value = message[field];
  if (value === undefined || typeof value === 'boolean') return value;
  return malformed(field, 'true or false');
}

function isSequence(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function leftOffIn(message: ClientMessage): LeftOff {
  const { stream_id: streamId, sequence, sequences } = message;
  if (!isText(streamId)) return malformed('stream_id', 'the stream_id of the last message');
  const expected = 'a whole number: the sequence of the last message';
  if (sequence !== undefined && !isSequence(sequence)) return malformed('sequence', expected);
  if (sequences === undefined) {
    if (sequence === undefined) return malformed('sequence', expected);
    return { streamId, sequence, sequences: new Map() };
  }
  return { streamId, sequence, sequences: sequencesOf(sequences) };
}

function sequencesOf(value: unknown): ReadonlyMap<string, number> {
  const expected = 'an object of sequences by condition id';
  if (typeof value !== 'object' || value === null) return malformed('sequences', expected);
  const byMarket = new Map<string, number>();
  for (const [conditionId, sequence] of Object.entries(value)) {
    if (!isSequence(sequence)) return malformed('sequences', expected);
    byMarket.set(conditionId.toLowerCase(), sequence);
  }
  return byMarket;
}
