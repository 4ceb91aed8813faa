/**
 * The headers that a collector asks for, such as a token. Their form is that of the variable
 * OTEL_EXPORTER_OTLP_HEADERS: `name=value` pairs with commas between them and percent-encoded
 * values (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). In a file, each may also
 * have its own line.
 *
 * Invariant: no error repeats a value, because values are secrets.
 */
/** Headers for the collector, and characters of their whole text. */
const MOST_HEADERS = 16;
const MOST_CHARACTERS = 8_192;

export type CollectorHeaders = Readonly<Record<string, string>>;

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const VALUE = /^[\x20-\x7e]+$/;
/** Those that the exporter sets, and those that would change how a message ends. */
const OWN = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'host'];

export const HEADERS_WORDS =
  `1 to ${MOST_HEADERS} headers as NAME=VALUE, separated by commas, with ` +
  'percent-encoded values';

/** Throws an Error that says what is wrong, without any value. */
export function parseCollectorHeaders(text: string): CollectorHeaders {
  if (text.length > MOST_CHARACTERS) {
    throw new Error(`it has ${text.length} characters; the limit is ${MOST_CHARACTERS}`);
  }
  const pairs = text
    .split(/[,\r\n]/)
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  if (pairs.length === 0 || pairs.length > MOST_HEADERS) {
    throw new Error(`it has ${pairs.length} headers; it must have 1 to ${MOST_HEADERS}`);
  }
  const entries = pairs.map(parsePair);
  const names = entries.map(([name]) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`the header ${twice} is there twice`);
  return Object.fromEntries(entries);
}

function parsePair(pair: string, place: number): readonly [name: string, value: string] {
  const end = pair.indexOf('=');
  const name = pair.slice(0, Math.max(end, 0)).trim().toLowerCase();
  const number = place + 1;
  if (!NAME.test(name)) throw new Error(`header ${number} has no valid name before a "="`);
  if (OWN.includes(name)) throw new Error(`header ${number} is ${name}, which can't be set`);
  const value = decoded(pair.slice(end + 1).trim());
  if (value !== undefined && VALUE.test(value)) return [name, value];
  throw new Error(
    `the value of header ${number} (${name}) must be printable ASCII, percent-encoded`,
  );
}

/** undefined if a percent sign does not begin an encoded character. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
