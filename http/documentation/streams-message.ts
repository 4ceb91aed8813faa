/**
 * What the document of the streams says of a message and of a channel, and the parts that messages
 * of several channels have.
 *
 * Invariant: a schema names every field that a message can have. What is sent is made as text
 * elsewhere, for speed; `test/http/documentation/streams.test.ts` collects real messages of every
 * kind and keeps both alike. Only keywords that mean the same in JSON Schema 2020-12 and in the
 * schemas of AsyncAPI (draft 07 and more) are used, so that the schemas are both.
 */
import { type TSchema, Type } from 'typebox';
import { type ClosingCode, STREAM_FAULTS } from '../streams/delivery/index.ts';

export interface StreamMessage {
  /** Its kind: of a live message its `event_type`, or what it asks. */
  readonly name: string;
  readonly summary: string;
  readonly payload: TSchema;
  /** Of one that is no JSON. */
  readonly contentType?: 'text/plain';
}

export interface StreamChannel {
  /** As in metrics. */
  readonly name: string;
  readonly address: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** What clients send. */
  readonly asked: readonly StreamMessage[];
  /** What the exchange sends. */
  readonly told: readonly StreamMessage[];
  /** Why it closes a socket. */
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

const SEQUENCE = 'As the description of the channel says: what follows is the same, or the next';
const streamId = Type.String({ description: 'Another one after each start of the exchange' });

/** What every live message ends with. */
export const STAMP = {
  sequence: Type.Integer({ minimum: 0, description: SEQUENCE }),
  stream_id: streamId,
  server_ts_ms: Type.Integer({ description: 'When it was made; milliseconds since the epoch' }),
};

/** What a client says of where it left off. */
export const LEFT_OFF = {
  operation: Type.Literal('resume', { description: 'In any case' }),
  stream_id: Type.String({ description: 'That of the last message' }),
};

/** Names of what is asked for; those that are unknown are passed over. */
export const NAMES = {
  assets_ids: Type.Optional(Type.Array(Type.String(), { description: 'Token ids' })),
  markets: Type.Optional(
    Type.Array(Type.String(), { description: 'Condition ids, each for both of its tokens' }),
  ),
};

export const wantsDump = Type.Optional(
  Type.Boolean({ default: true, description: 'Whether the state as it stands comes first' }),
);

export const replayed = Type.Integer({
  minimum: 0,
  description: 'How many messages follow that were missed',
});

export const missedReason = Type.Enum(['stream_changed', 'out_of_reach'], {
  description:
    '`stream_changed`: the exchange was started again; `out_of_reach`: what was missed is not ' +
    'kept any more',
});

export const PING: StreamMessage = {
  name: 'ping',
  summary: 'Asks whether the exchange is there; the text PING in any case',
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
  summary: 'A message of the client that can not be carried out, and what mends it',
  payload: Type.Object({
    type: Type.Literal('error'),
    message: Type.String({ description: 'The same for people' }),
    code: Type.Enum(
      ANSWERED.map(([code]) => code),
      { description: ANSWERED.map(([code, { docs }]) => `\`${code}\`: ${docs}`).join(' ') },
    ),
    field: Type.Optional(Type.String({ description: 'What is wrong' })),
    expected: Type.Optional(Type.String({ description: 'What it should be' })),
    allowed: Type.Optional(Type.Array(Type.String(), { description: 'All that it may be' })),
    limit: Type.Optional(Type.Integer({ description: 'How much there may be' })),
    actual: Type.Optional(Type.Integer({ description: 'How much there is' })),
    names: Type.Optional(Type.Array(Type.String(), { description: 'Some of those unknown' })),
  }),
};

/** What every channel closes sockets for. */
export const COMMON_CLOSINGS: readonly ClosingCode[] = [
  'going_away',
  'too_many_sockets',
  'too_slow',
  'too_many_messages',
];
