/**
 * Numbers and texts of the wire, and small containers that need nothing else of http/.
 */

export {
  type HalfTicks,
  halfTicksNumber,
  halfTicksText,
  lotsNumber,
  lotsText,
  MICRO_DECIMALS,
  microsText,
  shortestDecimal,
  sumText,
  ticksNumber,
  ticksText,
} from './decimal.ts';
export {
  DEFAULT_DIALECT,
  DIALECTS,
  type Dialect,
  dialectOf,
  HEADER_PREFIXES,
  type HeaderList,
  type HeaderPrefix,
  parseBaseUrl,
} from './headers.ts';
export { Histogram, STAGE_RANGE } from './histogram.ts';
export { jsonFault } from './json-fault.ts';
export { HexMap, remember } from './maps.ts';
export { Random } from './random.ts';
export { Counts, epochSeconds, isoTime, TIME_IN_WORDS, timeMsOf, wholeSeconds } from './time.ts';
export { closestWord, isOperatorToken, TOKEN_WORDS } from './words.ts';
export { zipOf } from './zip.ts';
