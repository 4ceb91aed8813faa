/**
 * What the schemas of several channels share: fields, and the stamp that ends the messages of a
 * market or an owner (wire 7.1). A channel describes its messages in its own `messages.ts`;
 * /asyncapi.json and the types of the console are derived from there.
 *
 * Invariant: a schema names every field that a message can have. Its order is that of the text.
 */
import { type TSchema, Type } from 'typebox';
import { type ClosingCode, STREAM_FAULTS } from './close-codes.ts';

export interface StreamMessage<Payload extends TSchema = TSchema> {
  readonly summary: string;
  readonly payload: Payload;
  /** Left out for JSON. */
  readonly contentType?: 'text/plain';
}

type Messages = Readonly<Record<string, StreamMessage>>;

/** What /asyncapi.json says of a channel. */
export interface ChannelDocument<Sent extends Messages = Messages> {
  /** The same as in the metrics. */
  readonly name: string;
  readonly address: string;
  readonly title: string;
  /** Lines of Markdown. */
  readonly description: readonly string[];
  /** Messages from clients, by their operation. */
  readonly received: Messages;
  /** Messages to clients, by their `event_type` or, on the live-data channel, by their type. */
  readonly sent: Sent;
  /** The reasons for which the exchange closes a socket. */
  readonly closings: readonly ClosingCode[];
}

type ReadOnly<Value> = { readonly [Name in keyof Value]: ReadOnly<Value[Name]> };

/** The type of a schema, with every field read-only. */
export type MessageOf<Schema extends TSchema> = ReadOnly<Type.Static<Schema>>;

/** The type of each message that a channel sends, by its name. */
export type SentMessages<Channel extends ChannelDocument> = {
  readonly [Name in keyof Channel['sent']]: MessageOf<Channel['sent'][Name]['payload']>;
};

export function message<Payload extends TSchema>(
  summary: string,
  payload: Payload,
): StreamMessage<Payload> {
  return { summary, payload };
}

export function decimal(description: string) {
  return Type.String({ description, pattern: '^\\d+(\\.\\d+)?$' });
}

export function wholeText(description: string) {
  return Type.String({ description, pattern: '^\\d+$' });
}

export function bytes32(description: string) {
  return Type.String({ description, pattern: '^0x[0-9a-f]{64}$' });
}

export function address(description: string) {
  return Type.String({ description, pattern: '^0x[0-9a-fA-F]{40}$' });
}

export function word<const Word extends string>(text: Word) {
  return Type.Literal(text, { description: 'In upper or lower case' });
}

export function side(description?: string) {
  return Type.Enum(['BUY', 'SELL'], description === undefined ? {} : { description });
}

export const CONDITION_ID = bytes32('Condition id');
export const TOKEN_ID = wholeText('Token id');
export const PRICE = decimal('Between 0 and 1');
export const TIME_MS = Type.Integer({
  description: 'When the message was made; milliseconds since the epoch',
});
export const TIME_MS_TEXT = wholeText('When the message was made; milliseconds since the epoch');

/** The last fields of every message of a market or an owner. */
export const STAMP = {
  sequence: Type.Integer({
    minimum: 0,
    description: 'Counts the steps of the stream; see the description of the channel',
  }),
  stream_id: Type.String({
    description:
      'Changes with each start of the exchange; in a cluster the id of its log, the same at all ' +
      'gateways',
  }),
  server_ts_ms: TIME_MS,
} as const;

type StampFields = MessageOf<Type.TObject<typeof STAMP>>;

export interface Stamp {
  readonly sequence: number;
  readonly streamId: string;
  readonly serverMs: number;
}

function stampFields({ sequence, streamId, serverMs }: Stamp): StampFields {
  return { sequence, stream_id: streamId, server_ts_ms: serverMs };
}

/** The JSON of a message, with the stamp as its last fields. */
export function stamped<Message extends StampFields>(
  fields: Omit<Message, keyof StampFields>,
  stamp: Stamp,
): string {
  return JSON.stringify({ ...fields, ...stampFields(stamp) });
}

/** The same with a last field before the stamp whose JSON exists already. */
export function stampedWith<Message extends StampFields, Name extends string & keyof Message>(
  fields: Omit<Message, keyof StampFields | Name>,
  { name, json }: { readonly name: Name; readonly json: string },
  stamp: Stamp,
): string {
  const [head, tail] = [JSON.stringify(fields), JSON.stringify(stampFields(stamp))];
  return `${head.slice(0, -1)},"${name}":${json},${tail.slice(1)}`;
}

export const NAMES = {
  assets_ids: Type.Optional(Type.Array(Type.String(), { description: 'Token ids' })),
  markets: Type.Optional(
    Type.Array(Type.String(), { description: 'Condition ids, each for both of its tokens' }),
  ),
} as const;

export const WANTS_DUMP = Type.Optional(
  Type.Boolean({ default: true, description: 'Whether the current state is sent first' }),
);

/** The operation and the stream of a request to resume. */
export const LEFT_OFF = {
  operation: word('resume'),
  stream_id: Type.String({ description: 'The `stream_id` of the last message' }),
} as const;

/** The answer to a resume, before the missed messages. `of` has the fields of its subject. */
export function resumedSchema<Of extends Record<string, TSchema>>(of: Of) {
  return Type.Object({
    event_type: Type.Literal('resumed'),
    ...of,
    replayed: Type.Integer({ minimum: 0, description: 'Number of missed messages that follow' }),
    timestamp: TIME_MS_TEXT,
    ...STAMP,
    sequence: Type.Integer({ minimum: 0, description: 'The sequence that the client sent' }),
  });
}

const MissedReason = Type.Enum(['stream_changed', 'out_of_reach'], {
  description:
    '`stream_changed`: the exchange was started again; `out_of_reach`: the missed messages are ' +
    'no longer kept',
});
export type MissedReason = Type.Static<typeof MissedReason>;

/** The answer to a resume that is not possible. */
export function snapshotRequiredSchema<Of extends Record<string, TSchema>>(of: Of) {
  return Type.Object({
    event_type: Type.Literal('snapshot_required'),
    ...of,
    reason: MissedReason,
    timestamp: TIME_MS_TEXT,
    ...STAMP,
  });
}

export function heartbeatSchema<Of extends Record<string, TSchema>>(of: Of) {
  return Type.Object({
    event_type: Type.Literal('heartbeat'),
    ...of,
    timestamp: TIME_MS_TEXT,
    ...STAMP,
  });
}

const PING: StreamMessage = {
  summary: 'Checks the connection: the text PING in upper or lower case',
  contentType: 'text/plain',
  payload: Type.String({ pattern: '^[Pp][Ii][Nn][Gg]$' }),
};

const PONG = {
  summary: 'The answer to PING',
  contentType: 'text/plain',
  payload: Type.Literal('PONG'),
} as const satisfies StreamMessage;

const ANSWERED = Object.entries(STREAM_FAULTS).filter(([, fault]) => !('closeCode' in fault));

const ERROR = message(
  'The answer to a message that is not valid, with the way to correct it',
  Type.Object({
    type: Type.Literal('error'),
    message: Type.String({ description: 'A sentence for a person' }),
    code: Type.Enum(
      ANSWERED.map(([code]) => code),
      { description: ANSWERED.map(([code, { docs }]) => `\`${code}\`: ${docs}`).join(' ') },
    ),
    field: Type.Optional(Type.String({ description: 'The wrong field' })),
    expected: Type.Optional(Type.String({ description: 'What the field should be' })),
    allowed: Type.Optional(Type.Array(Type.String(), { description: 'All allowed values' })),
    scope: Type.Optional(Type.String({ description: 'Whose bound it is' })),
    limit: Type.Optional(Type.Integer({ description: 'The largest number allowed' })),
    actual: Type.Optional(Type.Integer({ description: 'The actual number' })),
    names: Type.Optional(Type.Array(Type.String(), { description: 'Some of the unknown names' })),
  }),
);

export const RECEIVED_ALWAYS = { ping: PING } as const;
export const SENT_ALWAYS = { error: ERROR, pong: PONG } as const;

/** The reasons for which any channel closes a socket. */
export const CLOSINGS = [
  'going_away',
  'restored',
  'too_many_sockets',
  'too_slow',
  'too_many_messages',
  'frame_invalid',
] as const satisfies readonly ClosingCode[];
