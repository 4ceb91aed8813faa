/**
 * The requests that the market channel and the user channel share (wire 7.1): subscribe,
 * unsubscribe and resume.
 *
 * Invariant: names are only read here, not looked up. Unknown fields are ignored.
 * Bound: the size of the message.
 */
import { StreamError } from './close-codes.ts';
import type { Connection } from './connection.ts';
import type { SocketSubject } from './faults.ts';

export function malformed(field: string, expected: string): never {
  throw new StreamError('field_malformed', { field, expected });
}

// A channel: a path, and a session for each socket on it. The hub does what all channels share:
// keep-alive, sizes, rates, slow clients and closing.

export type ClientMessage = Readonly<Record<string, unknown>>;

export interface Channel {
  readonly name: string;
  readonly path: string;
  open(connection: Connection): Session;
}

export interface Session {
  /** What the scope of a fault is compared with. */
  subject(): SocketSubject;
  /** Throws `StreamError` for a message that can't be carried out. */
  receive(message: ClientMessage): void;
  /** Called when some of the bytes that waited for the client were sent. */
  drained(): void;
  /** Called when the connection is closed, or closing: nothing may be sent to it any more. */
  closed(): void;
}

/** Tokens by decimal id, and markets by condition id, which stand for both of their tokens. */
export interface Names {
  readonly tokens: readonly string[];
  readonly markets: readonly string[];
}

/** Which messages a client got last. */
export interface ResumeRequest {
  readonly streamId: string;
  /** Of the owner or a single market; undefined if the message has only `sequences`. */
  readonly sequence: number | undefined;
  /** The sequence of each market, by condition id. */
  readonly sequences: ReadonlyMap<string, number>;
}

export interface SubscriptionRequest {
  readonly operation: 'subscribe' | 'unsubscribe' | 'resume';
  readonly names: Names;
  /** Whether the client wants the current state first. */
  readonly wantsDump: boolean;
  /** Whether the client wants custom features; undefined if the message does not say. */
  readonly hasFeatures: boolean | undefined;
  readonly resume: ResumeRequest | undefined;
}

const OPERATIONS = ['subscribe', 'unsubscribe', 'resume'] as const;

/** Throws `StreamError`. `channelType` is the only `type` that the channel accepts. */
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
    hasFeatures: flagIn(message, 'custom_feature_enabled'),
    resume: operation === 'resume' ? resumeIn(message) : undefined,
  };
}

function operationOf(value: unknown): SubscriptionRequest['operation'] {
  if (value === undefined) return 'subscribe';
  const text = lowered(value, 'operation');
  const operation = OPERATIONS.find((known) => known === text);
  if (operation !== undefined) return operation;
  throw new StreamError('operation_unknown', { field: 'operation', allowed: OPERATIONS });
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

function resumeIn(message: ClientMessage): ResumeRequest {
  const { stream_id: streamId, sequence, sequences } = message;
  if (!isText(streamId)) return malformed('stream_id', 'the stream_id of the last message');
  const expected = 'a whole number: the sequence of the last message';
  if (sequence !== undefined && !isSequence(sequence)) return malformed('sequence', expected);
  if (sequences === undefined) {
    if (sequence === undefined) return malformed('sequence', expected);
    return { streamId, sequence, sequences: new Map() };
  }
  return { streamId, sequence, sequences: sequencesIn(sequences) };
}

function sequencesIn(value: unknown): ReadonlyMap<string, number> {
  const expected =
    'an object with a condition id and its sequence, a whole number, for each market';
  if (typeof value !== 'object' || value === null) return malformed('sequences', expected);
  const byMarket = new Map<string, number>();
  for (const [conditionId, sequence] of Object.entries(value)) {
    if (!isSequence(sequence)) return malformed('sequences', expected);
    byMarket.set(conditionId.toLowerCase(), sequence);
  }
  return byMarket;
}
