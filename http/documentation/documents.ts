/** The two documents: of the public listener and of the operator's. */
import type { RouteDefinition } from '../api/index.ts';
import { type DocumentOptions, openApiDocument } from './document.ts';
import { exampleOf } from './examples.ts';
import { SHARED_SCHEMAS } from './shared-schemas.ts';
import { OPERATOR_TAGS, operatorTagOf, PUBLIC_TAGS, publicTagOf } from './tags.ts';

const PUBLIC: DocumentOptions = {
  title: 'outcome-exchange',
  description: [
    'A prediction-market exchange: the order-book interface that published clients speak.',
    '',
    '- **Units.** Prices are between 0 and 1 in steps of the tick of their market, sizes are in',
    '  steps of 0.01 token; both are decimal texts. `makerAmount` and `takerAmount` of a signed',
    '  order are in millionths.',
    '- **Auth headers** begin with `SERVICE_`, as shown here, or with `KUEST_` or `POLY_`: all of',
    '  one request with the same. The prefix also chooses the wording of errors.',
    '- **Path prefixes** `/clob`, `/gamma` and `/data` are accepted before every path; a signature',
    '  may be made for the path with or without it.',
    '- **Failures** are JSON with a sentence in `error` and a stable `code`. Every answer has an',
    '  `x-request-id`.',
    '- **Retries.** The same signed order sent again is answered with its result as it stands, and',
    '  `duplicate: true`; it is never placed twice.',
    '- **Streams** are WebSockets beside these routes: `/asyncapi.json` describes them.',
    '- Unknown parameters and keys are ignored. Lists in a query are comma-separated or repeated.',
  ].join('\n'),
  tags: PUBLIC_TAGS,
  tagOf: publicTagOf,
  sharedSchemas: SHARED_SCHEMAS,
  exampleOf: (route) => exampleOf('public', route),
};

const OPERATOR: DocumentOptions = {
  title: "outcome-exchange: the operator's API",
  description:
    'Served on a listener of its own, by default on the loopback address alone, behind a bearer ' +
    'token. Each movement of money has an idempotency key and is made once.',
  tags: OPERATOR_TAGS,
  tagOf: operatorTagOf,
  sharedSchemas: SHARED_SCHEMAS,
  exampleOf: (route) => exampleOf('operator', route),
};

export type Listener = 'public' | 'operator';

/** The document of a listener's routes. */
export function documentOf(listener: Listener, routes: readonly RouteDefinition[]) {
  return openApiDocument(routes, listener === 'public' ? PUBLIC : OPERATOR);
}
