/**
 * Messages and channels in the document of the streams, and parts that several messages share.
 *
 * Invariant: a schema names every field that a message can have. For speed, messages are made as
 * text elsewhere; a test collects real messages of every kind and compares them with the schemas.
 * The schemas use only keywords that mean the same in JSON Schema 2020-12 and in AsyncAPI (draft
 * 07).
 */
import { type TProperties, type TSchema, Type } from 'typebox';
import { type ClosingCode, STREAM_FAULTS } from '../streams/delivery/index.ts';

export interface StreamMessage {
  /** The `event_type` of a message to clients, or the operation of a client. */
  readonly name: string;
  readonly summary: string;
  readonly payload: TSchema;
  /** Left out for JSON. */
  readonly contentType?: 'text/plain';
}

export interface StreamChannel {
  /** The same as in the metrics. */
  readonly name: string;
  readonly address: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** Messages from clients. */
  readonly received: readonly StreamMessage[];
  /** Messages to clients. */
  readonly sent: readonly StreamMessage[];
  /** The reasons for which the exchange closes a socket. */
  readonly closings: readonly ClosingCode[];
}

export function decimalText(description: string): TSchema {
  return Type.String({ description, pattern: '^\\d+(\\.\\d+)?$' });
}

export function wholeText(description: string): TSchema {
  return Type.String({ description, pattern: '^\\d+$' });
}

export function millisecondText(description: string): TSchema {
  return wholeText(`${description}; milliseconds since the epoch`);
}

export function secondText(description: string): TSchema {
  return wholeText(`${description}; seconds since the epoch`);
}

export function hash32(description: string): TSchema {
  return Type.String({ description, pattern: '^0x[0-9a-f]{64}$' });
}

export function addressText(description: string): TSchema {
  return Type.String({ description: `${description}, EIP-55`, pattern: '^0x[0-9a-fA-F]{40}$' });
}

export const conditionId = hash32('Condition id');
export const tokenId = wholeText('Token id');
export const price = decimalText('Between 0 and 1');
export const size = decimalText('Outcome tokens');
export const side = Type.Enum(['BUY', 'SELL']);

const SEQUENCE =
  'The next message has the same one or the next; see the description of the channel';
const streamId = Type.String({ description: 'Changes with each start of the exchange' });

/** The last fields of every message to clients. */
export const STAMP = {
  sequence: Type.Integer({ minimum: 0, description: SEQUENCE }),
  stream_id: streamId,
  server_ts_ms: Type.Integer({
    description: 'When the message was made; milliseconds since the epoch',
  }),
};

/** A message to clients: its fields, then `STAMP`, in which `stamp` replaces what differs. */
export function live(
  name: string,
  summary: string,
  fields: TProperties,
  stamp: TProperties = {},
): StreamMessage {
  const payload = Type.Object({
    event_type: Type.Literal(name),
    ...fields,
    ...STAMP,
    ...stamp,
  });
  return { name, summary, payload };
}

/** The fields with which a client resumes. */
export const LEFT_OFF = {
  operation: Type.Literal('resume', { description: 'In any case' }),
  stream_id: Type.String({ description: 'From the last message' }),
};

/** What a client subscribes to. Unknown names are ignored. */
export const NAMES = {
  assets_ids: Type.Optional(Type.Array(Type.String(), { description: 'Token ids' })),
  markets: Type.Optional(
    Type.Array(Type.String(), { description: 'Condition ids, each for both of its tokens' }),
  ),
};

export const wantsDump = Type.Optional(
  Type.Boolean({ default: true, description: 'Whether the current state is sent first' }),
);

export const replayed = Type.Integer({
  minimum: 0,
  description: 'Number of missed messages that follow',
});

export const missedReason = Type.Enum(['stream_changed', 'out_of_reach'], {
  description:
    '`stream_changed`: the exchange was started again; `out_of_reach`: the missed messages ' +
    'are no ' +
    'longer kept',
});

export const PING: StreamMessage = {
  name: 'ping',
  summary: 'Checks the connection: the text PING in upper or lower case',
  contentType: 'text/plain',
  payload: Type.String({ pattern: '^[Pp][Ii][Nn][Gg]$' }),
};

export const PONG: StreamMessage = {
  name: 'pong',
  summary: 'The answer to PING',
  contentType: 'text/plain',
  payload: Type.Literal('PONG'),
};

const ANSWERED = Object.entries(STREAM_FAULTS).filter(([, fault]) => !('closeCode' in fault));

export const FAULT: StreamMessage = {
  name: 'error',
  summary: 'The answer to a message that is not valid, with the way to correct it',
  payload: Type.Object({
    type: Type.Literal('error'),
    message: Type.String({ description: 'A sentence for a person' }),
    code: Type.Enum(
      ANSWERED.map(([code]) => code),
      { description: ANSWERED.map(([code, { docs }]) => `\`${code}\`: ${docs}`).join(' ') },
    ),
    field: Type.Optional(Type.String({ description: 'The wrong field' })),
    expected: Type.Optional(Type.String({ description: 'What the field should be' })),
    allowed: Type.Optional(Type.Array(Type.String(), { description: 'All allowed values' })),
    limit: Type.Optional(Type.Integer({ description: 'The largest number allowed' })),
    actual: Type.Optional(Type.Integer({ description: 'The actual number' })),
    names: Type.Optional(Type.Array(Type.String(), { description: 'Some of the unknown names' })),
  }),
};

/** The reasons that all channels share. */
export const COMMON_CLOSINGS: readonly ClosingCode[] = [
  'going_away',
  'too_many_sockets',
  'too_slow',
  'too_many_messages',
];
