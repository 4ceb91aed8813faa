/**
 * Everything that can be wrong with a socket or a message on it, as one table; streams.md has the
 * same rows. What closes a socket has a close code; all else is answered, and the socket stays.
 *
 * Invariant: codes are stable and never used again for anything else.
 */
interface StreamFault {
  /** Undefined where the socket stays. */
  readonly closeCode?: number;
  /** What the client is told. */
  readonly text: string;
  /** When it happens. */
  readonly docs: string;
}

export const STREAM_FAULTS = {
  message_malformed: {
    text: 'the message is no JSON object',
    docs: 'A text that is neither a JSON object nor PING.',
  },
  message_binary: {
    text: 'the message is binary',
    docs: 'Messages are text.',
  },
  message_too_large: {
    text: 'the message is too large',
    docs: 'It has more bytes than `limit`; one of more than `frameBytes` is not read at all.',
  },
  field_malformed: {
    text: 'a field of the message is malformed',
    docs: '`field` says which, `expected` what it should be.',
  },
  type_unknown: {
    text: 'the type of the message is none of this socket',
    docs: '`type` names another channel than the one of the path.',
  },
  operation_unknown: {
    text: 'the operation is unknown',
    docs: '`allowed` names those that there are.',
  },
  too_many_subscriptions: {
    text: 'too many subscriptions',
    docs: 'One socket listens to at most `limit` tokens. Nothing of the message was done.',
  },
  names_unknown: {
    text: 'some of the names are unknown',
    docs: 'Only for who asks for custom features; the known ones are subscribed.',
  },
  going_away: {
    closeCode: 1001,
    text: 'the exchange is stopping',
    docs: 'The exchange stops.',
  },
  unauthorized: {
    closeCode: 1008,
    text: 'the credentials are wrong',
    docs: 'On the user channel: the key, secret or passphrase is wrong, or none came first.',
  },
  too_many_failures: {
    closeCode: 1013,
    text: 'too many failed attempts',
    docs: 'On the user channel: they are wrong, and the address has sent wrong ones too often.',
  },
  auth_missing: {
    closeCode: 1008,
    text: 'no credentials came in time',
    docs: 'On the user channel: nothing that proves who it is came soon enough.',
  },
  key_revoked: {
    closeCode: 1008,
    text: 'the API key was revoked',
    docs: 'On the user channel: the key that the socket came with is good no more.',
  },
  too_many_sockets: {
    closeCode: 1013,
    text: 'too many sockets',
    docs: 'The address, or all clients together, have as many sockets as there may be.',
  },
  too_slow: {
    closeCode: 4008,
    text: 'too slow: more waits than may wait',
    docs: 'The client does not read as fast as it is sent to. It may come back and resume.',
  },
  too_many_messages: {
    closeCode: 4029,
    text: 'too many messages',
    docs: 'More messages in one second than a client, or all clients of its address, may send.',
  },
} as const satisfies Readonly<Record<string, StreamFault>>;

type Faults = typeof STREAM_FAULTS;
export type StreamFaultCode = keyof Faults;
/** The codes that close a socket. */
export type ClosingCode = {
  [Code in StreamFaultCode]: Faults[Code] extends { readonly closeCode: number } ? Code : never;
}[StreamFaultCode];
/** The codes that are answered. */
type AnsweredCode = Exclude<StreamFaultCode, ClosingCode>;

type Details = Readonly<Record<string, string | number | readonly string[]>>;

/** What is wrong with a client's message; thrown where it is read. */
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

/** The answer to a message that can't be carried out (wire 7.1). */
export function faultMessage({ code, message, details }: StreamError): string {
  return JSON.stringify({ type: 'error', message, code, ...details });
}
