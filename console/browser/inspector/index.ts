/**
 * What the page asks and hears: the log of its requests, which can be copied as curl or code, and
 * the raw messages of its streams.
 *
 * Invariant: no secret is shown or copied; the rooms `wire` and `streams` keep none.
 * Bound: LOG_BOUNDS of `wire`, PAGE_BOUNDS of `streams`.
 */
export { OperatorRequestsPage, RequestsPage } from './requests-page.tsx';
export { StreamsPage } from './streams-page.tsx';
