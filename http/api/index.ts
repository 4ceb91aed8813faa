/**
 * What an endpoint is: its definition, the validation of its input, and its hooks into the server.
 */
export { ExchangeClock } from './clock.ts';
export {
  type AuthHeaders,
  type AuthPart,
  headerName,
  NO_AUTH_HEADERS,
  readAuthHeaders,
} from './header-names.ts';
export { createLog, type Logger, type LogLevel } from './log.ts';
export { coerceQuery, parseQuery } from './query-string.ts';
export type { Auth, Caller, Method, RequestInfo, SignedRequest, Surface } from './request.ts';
export {
  ANY_BODY,
  ANY_QUERY,
  BytesReply,
  NO_BODY,
  NO_PARAMETERS,
  type OwnBytes,
  RawReply,
  type RouteDefinition,
  servicesFor,
} from './route.ts';
export type {
  Admission,
  Authentication,
  Counted,
  LoadGate,
  RequestObserver,
  Sender,
} from './server-hooks.ts';
export { nextTurn } from './turns.ts';
export { compileCheck, compileRoute, parseJson, type RouteChecks } from './validate.ts';
