/**
 * Numbers and texts of the wire, and small containers that need nothing else of http/.
 */
export { parseBaseUrl } from './base-url.ts';
export { remember } from './bounded-map.ts';
export { closestWord } from './closest-word.ts';
export { Counts } from './counts.ts';
export {
  type HalfTicks,
  halfTicksNumber,
  halfTicksText,
  lotsNumber,
  lotsText,
  microsText,
  shortestDecimal,
  sumText,
  ticksNumber,
  ticksText,
} from './decimal.ts';
export { DEFAULT_DIALECT, DIALECTS, type Dialect, dialectOf } from './dialect.ts';
export { HEADER_PREFIXES, type HeaderList, type HeaderPrefix } from './headers.ts';
export { HexMap } from './hex-map.ts';
export { Histogram, STAGE_RANGE } from './histogram.ts';
export { jsonFault } from './json-fault.ts';
export { isOperatorToken, TOKEN_WORDS } from './operator-token.ts';
export { Random } from './random.ts';
export { epochSeconds, isoTime, wholeSeconds } from './time.ts';
