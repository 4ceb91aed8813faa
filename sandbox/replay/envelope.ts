/**
 * A line of a recording: the messages in it, and when they were received.
 *
 * Recorders store what the market channel sent either as it came, an object or an array of objects
 * a line, or in an envelope with the time of receipt. In an envelope the message is an object, an
 * array, or the text of the frame. The names below are those of public recorders.
 */
import { fieldsOf, type JsonFields } from '../../cli/place-order/index.ts';
import { isObject, parsedJson } from '../../http/codec/index.ts';

const MESSAGE_KEYS = ['msg', 'message', 'data', 'payload', 'json', 'raw', 'raw_text', 'frame'];
const TIME_KEYS = [
  ...['ts', 'ts_recv', 'recv_ts', 'received_at', 'received_at_utc', 'received_ts', 'receivedAt'],
  ...['received_at_ms', 'local_ts', 'local_timestamp', 'time', 't', 'timestamp'],
];
/** Answers to a client's pings, which some recorders keep too. */
const PONG = /^"?p[io]ng"?$/i;
/** The least value of each unit finer than seconds, for times after 1973. */
const MS_FROM = 1e11;
const US_FROM = 1e14;
const NS_FROM = 1e17;

export interface Envelope {
  /** In milliseconds since the epoch; undefined when the line does not tell. */
  readonly receivedMs: number | undefined;
  readonly messages: readonly JsonFields[];
}

/** A time in seconds, milli-, micro- or nanoseconds, or as ISO 8601, in milliseconds. */
export function timeMsIn(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^[0-9]+(\.[0-9]+)?$/.test(value)) {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? undefined : ms;
  }
  const time = typeof value === 'string' ? Number(value) : value;
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return undefined;
  if (time < MS_FROM) return time * 1e3;
  if (time < US_FROM) return time;
  return time < NS_FROM ? time / 1e3 : time / 1e6;
}

/** The messages of a frame; undefined if it has another form. */
function messagesIn(frame: unknown): readonly JsonFields[] | undefined {
  if (typeof frame === 'string') {
    if (PONG.test(frame)) return [];
    return messagesIn(parsedJson(frame));
  }
  if (Array.isArray(frame)) return frame.every(isObject) ? frame : undefined;
  return isObject(frame) ? [frame] : undefined;
}

/** Reads a line; undefined if it is not JSON of a known form. */
export function readEnvelope(line: string): Envelope | undefined {
  const text = line.trim();
  if (text === '' || PONG.test(text)) return { receivedMs: undefined, messages: [] };
  const value = parsedJson(text);
  const fields = fieldsOf(value);
  const key = Array.isArray(value) ? undefined : messageKeyOf(fields);
  const messages = messagesIn(key === undefined ? value : fields[key]);
  if (messages === undefined) return undefined;
  return { receivedMs: key === undefined ? undefined : receivedMsIn(fields), messages };
}

function messageKeyOf(fields: JsonFields): string | undefined {
  return MESSAGE_KEYS.find((name) => name in fields && messagesIn(fields[name]) !== undefined);
}

function receivedMsIn(fields: JsonFields): number | undefined {
  for (const name of TIME_KEYS) {
    const ms = timeMsIn(fields[name]);
    if (ms !== undefined) return ms;
  }
  return undefined;
}
