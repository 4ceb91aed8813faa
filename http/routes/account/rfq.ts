/**
 * Requests for quotes (wire 1.7). This exchange does not support them: the configuration says so,
 * and the routes that published clients call refuse.
 */
import { Type } from 'typebox';
import type { Method } from '../../api/index.ts';
import { ApiError, ERRORS, Failure } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET /rfq/config: whether quotes can be requested. */
const rfqConfig = defineRoute({
  method: 'GET',
  path: '/rfq/config',
  summary: 'Whether quotes can be requested: no',
  auth: 'none',
  response: Type.Object({
    enabled: Type.Boolean(),
    minTickSize: Type.String(),
    tokenDecimals: Type.Integer(),
    collateralDecimals: Type.Integer(),
  }),
  handler: () => ({
    enabled: false,
    minTickSize: '0.01',
    tokenDecimals: 6,
    collateralDecimals: 6,
  }),
});

/** The routes that published clients call, older versions included. */
const REFUSED: readonly (readonly [method: Method, path: string, what: string])[] = [
  ['POST', '/rfq/request', 'Request a quote'],
  ['DELETE', '/rfq/request', 'Cancel a request for a quote'],
  ['GET', '/rfq/data/requests', 'Requests for quotes'],
  ['POST', '/rfq/quote', 'Send a quote'],
  ['DELETE', '/rfq/quote', 'Cancel a quote'],
  ['GET', '/rfq/data/quotes', 'Quotes'],
  ['GET', '/rfq/data/requester/quotes', 'Quotes on your requests'],
  ['GET', '/rfq/data/quoter/quotes', 'Your quotes'],
  ['GET', '/rfq/data/best-quote', 'The best quote on a request'],
  ['POST', '/rfq/request/accept', 'Accept a quote'],
  ['POST', '/rfq/quote/approve', 'Approve an accepted quote'],
];

function refusal([method, path, what]: (typeof REFUSED)[number]) {
  return defineRoute({
    method,
    path,
    summary: `${what}: refused, because this exchange has no quotes`,
    auth: 'none',
    // The only status with which the route answers.
    status: ERRORS.rfq_disabled.status,
    response: Failure,
    handler: () => {
      throw new ApiError('rfq_disabled');
    },
  });
}

export const RFQ_ROUTES = [rfqConfig, ...REFUSED.map(refusal)] as const;
