/**
 * The exchange's HTTP interface as a page uses it: one function that sends a request, the log of
 * all requests, and the types of the answers, which are those of the server's own schemas.
 *
 * Invariant: requests go to the origin of the page only. The log never contains a secret.
 */

export { marketTitles } from './market-titles.ts';
export { type BodySchema, bodySchemaOf } from './openapi.ts';
export type { Answer, PathOf, Proof } from './routes.ts';
export {
  type AnyRequest,
  type Authorizer,
  ExchangeError,
  type LoggedRequest,
  probe,
  type Reach,
  type RefusalObserver,
  type Request,
  reach,
  requestLog,
  send,
  sendAny,
  setAuthorizer,
} from './send.ts';
export type * from './types.ts';
