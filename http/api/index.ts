/**
 * What an endpoint is (route.ts), how its input is validated, and the interfaces between the server
 * and authentication, limits and metrics.
 */
export { ignoredHeader, unservedParameters } from './documented-parameters.ts';
export {
  type AuthHeaders,
  type AuthPart,
  hasNoHeaders,
  headerName,
  NO_AUTH_HEADERS,
  readAuthHeaders,
  readDialect,
} from './header-names.ts';
export { hasParameter, queryReader } from './query-string.ts';
export type { Auth, Caller, Method, RequestInfo, SignedRequest, Surface } from './request.ts';
export type {
  IntakeStage,
  RequestTrace,
  TracedRoute,
  Tracer,
  VerifierTimes,
  WrittenAnswer,
} from './request-trace.ts';
export {
  ANY_BODY,
  ANY_QUERY,
  BytesReply,
  NO_BODY,
  NO_PARAMETERS,
  type OwnBytes,
  RawReply,
  type RouteDefinition,
  type RouteInput,
  servicesFor,
} from './route.ts';
export {
  type Admission,
  type Authentication,
  ConnectionLost,
  type Counted,
  type InterceptedRequest,
  type Interceptor,
  type LoadGate,
  type RequestObserver,
  type Sender,
  type StateGate,
} from './server-hooks.ts';
export { hostNameOf, isForeignPage, type Site, siteOf, withPictures } from './site.ts';
export { compileCheck, compileRoute, parseJson, type RouteChecks } from './validate.ts';
