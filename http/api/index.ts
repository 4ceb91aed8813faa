/**
 * What an endpoint is: its definition, the validation of its input, and its hooks into the server.
 */
export { ExchangeClock } from './clock.ts';
export {
  type AuthHeaders,
  type AuthPart,
  HEADER_PREFIXES,
  headerName,
  NO_AUTH_HEADERS,
  readAuthHeaders,
} from './header-names.ts';
export { createLog, type Logger } from './log.ts';
export { coerceQuery, parseQuery } from './query-string.ts';
export {
  ANY_BODY,
  ANY_QUERY,
  type Auth,
  BytesReply,
  type Caller,
  defineRoute,
  type HeaderPrefix,
  type Method,
  NO_BODY,
  NO_PARAMETERS,
  type OwnBytes,
  RawReply,
  type RequestInfo,
  type RouteDefinition,
  type Surface,
} from './route.ts';
export type {
  Admission,
  Counted,
  LimitHeaders,
  LoadGate,
  RequestObserver,
} from './server-hooks.ts';
export { nextTurn } from './turns.ts';
export { compileCheck, compileRoute, parseJson, type RouteChecks } from './validate.ts';
