/**
 * The table of stream errors; streams.md has the same rows. An error with a close code closes the
 * socket. Any other error is answered, and the socket stays open.
 *
 * Invariant: codes are stable and are never reused with another meaning.
 */
interface StreamFault {
  /** Undefined where the socket stays open. */
  readonly closeCode?: number;
  /** The sentence that the client gets. */
  readonly text: string;
  /** When it happens, for streams.md. */
  readonly docs: string;
}

export const STREAM_FAULTS = {
  message_malformed: {
    text: 'the message is not a JSON object',
    docs: 'The text is neither a JSON object nor PING.',
  },
  message_binary: {
    text: 'the message is binary',
    docs: 'The message is a binary frame. Messages are text frames.',
  },
  message_too_large: {
    text: 'the message is too large',
    docs:
      'The message has more than `limit` bytes. A socket that sends more than ' +
      '`frameBytes` is cut.',
  },
  field_malformed: {
    text: 'a field of the message is malformed',
    docs: '`field` names the field, and `expected` says what it should be.',
  },
  type_unknown: {
    text: 'the type of the message belongs to another channel',
    docs: '`type` names another channel than the path does.',
  },
  operation_unknown: {
    text: 'the operation is unknown',
    docs: '`allowed` lists the operations.',
  },
  too_many_subscriptions: {
    text: 'too many subscriptions',
    docs: 'A socket or message has at most `limit` subscriptions. The whole message was ignored.',
  },
  subscriptions_too_large: {
    text: 'the subscriptions need too much memory',
    docs:
      'The subscriptions of the `scope` (the socket, its address, all sockets) would keep ' +
      '`actual` bytes. The whole message was ignored.',
  },
  names_unknown: {
    text: 'some of the tokens or markets are unknown',
    docs: '`names` lists them. Sent only with custom features. The known ones are subscribed.',
  },
  going_away: {
    closeCode: 1001,
    text: 'the exchange is stopping',
    docs: 'The exchange stops.',
  },
  restored: {
    closeCode: 1012,
    text: 'the exchange returns to a checkpoint',
    docs:
      'The sandbox restored a checkpoint. Connect again: `stream_id` is another one, and nothing ' +
      'can be resumed.',
  },
  frame_invalid: {
    closeCode: 1002,
    text: 'the frame is not a text of a client',
    docs:
      'The text has control characters, as one that the client sent without a mask. ' +
      'RFC 6455 requires the mask.',
  },
  unauthorized: {
    closeCode: 1008,
    text: 'the credentials are wrong',
    docs: 'User channel: the key, secret or passphrase is wrong, or the first message has none.',
  },
  too_many_failures: {
    closeCode: 1013,
    text: 'too many failed attempts',
    docs: 'User channel: the credentials are wrong, and the address sent wrong ones too often.',
  },
  auth_missing: {
    closeCode: 1008,
    text: 'no credentials came in time',
    docs: 'User channel: no credentials came in `authMs`.',
  },
  key_revoked: {
    closeCode: 1008,
    text: 'the API key was revoked',
    docs: 'User channel: the API key of the socket was revoked.',
  },
  too_many_sockets: {
    closeCode: 1013,
    text: 'too many sockets',
    docs: 'The address, or all clients together, have too many sockets.',
  },
  too_slow: {
    closeCode: 4008,
    text: 'too slow: too much data waits for the client',
    docs: 'The client reads more slowly than messages come. It may reconnect and resume.',
  },
  too_many_messages: {
    closeCode: 4029,
    text: 'too many messages',
    docs: 'The client, or all clients of its address, sent too many messages in one second.',
  },
} as const satisfies Readonly<Record<string, StreamFault>>;

type Faults = typeof STREAM_FAULTS;
export type StreamFaultCode = keyof Faults;
export type ClosingCode = {
  [Code in StreamFaultCode]: Faults[Code] extends { readonly closeCode: number } ? Code : never;
}[StreamFaultCode];
type AnsweredCode = Exclude<StreamFaultCode, ClosingCode>;

type Details = Readonly<Record<string, string | number | readonly string[]>>;

/** An error in a client's message, thrown where the message is read. */
export class StreamError extends Error {
  readonly code: AnsweredCode;
  readonly details: Details;

  constructor(code: AnsweredCode, details: Details = {}) {
    super(STREAM_FAULTS[code].text);
    this.name = 'StreamError';
    this.code = code;
    this.details = details;
  }
}

/** The answer to a message that can be carried out only in part or not at all (wire 7.1). */
export function faultMessage({ code, message, details }: StreamError): string {
  return JSON.stringify({ type: 'error', message, code, ...details });
}

/** The answer to a message with unknown names; it lists at most `most` of them. */
export function unknownNamesMessage(unknown: readonly string[], most: number): string {
  const details = { actual: unknown.length, names: unknown.slice(0, most) };
  return faultMessage(new StreamError('names_unknown', details));
}
