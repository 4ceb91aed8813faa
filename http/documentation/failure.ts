/**
 * What a failure looks like in the document: one schema, whose codes are those of error-table.ts.
 * Its details are those that errors.md explains.
 */
import { ERRORS, type ErrorEntry } from '../error-table.ts';
import type { JsonObject } from './schema.ts';

const rowOf = ([code, { status, docs }]: [string, ErrorEntry]): string =>
  `| \`${code}\` | ${status} | ${docs.replaceAll('|', '\\|')} |`;

const CODES = ['| code | status | when |', '|---|---|---|', ...Object.entries(ERRORS).map(rowOf)];

const text = (description: string): JsonObject => ({ type: 'string', description });
const anything = (description: string): JsonObject => ({ description });

/** `error` and `code` are always there; of the rest what helps. */
const DETAILS: JsonObject = {
  field: text('What is at fault: a path into the body, a parameter or a header'),
  limit: anything('What it must be: a number, a range such as `0.01..0.99`, or words'),
  actual: anything('What it is; long values are cut'),
  reason: text('Why a value does not fit'),
  position: { type: 'integer', description: 'Where a body stops being JSON' },
  asset: text('`cash` or the token id'),
  required: text('What the order needs, a decimal'),
  available: text('What the account has free, a decimal'),
  held: text('What open orders hold, a decimal'),
  orderHash: text("The order's id, as soon as its signature was checked"),
  requestId: text('What to look for in the log'),
};

const FAILURE: JsonObject = {
  type: 'object',
  description: 'Why a request was refused, and what mends it',
  required: ['error', 'code'],
  properties: {
    error: text('A sentence, in the wording that the family of clients expects'),
    code: {
      type: 'string',
      enum: Object.keys(ERRORS),
      description: `Stable; go by it.\n\n${CODES.join('\n')}`,
    },
    ...DETAILS,
  },
};

const ORDER_REFUSAL: JsonObject = {
  description: 'A failure that carries all keys of an order result',
  allOf: [{ $ref: '#/components/schemas/Failure' }, { $ref: '#/components/schemas/OrderResult' }],
};

export const FAILURE_SCHEMAS: JsonObject = { Failure: FAILURE, OrderRefusal: ORDER_REFUSAL };

const failure = (description: string, example: JsonObject, more: JsonObject = {}): JsonObject => ({
  description,
  ...more,
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Failure' }, example },
  },
});

const header = (type: string, description: string): JsonObject => ({
  description,
  schema: { type },
});

const LIMIT_HEADERS: JsonObject = {
  'Retry-After': header('integer', 'Seconds to wait'),
  'X-RateLimit-Limit': header('integer', 'Requests that the window takes'),
  'X-RateLimit-Remaining': header('integer', 'Requests that it takes still'),
  'X-RateLimit-Reset': header('integer', 'When there is room again'),
};

/** Answers that many routes share. */
export const FAILURE_RESPONSES: JsonObject = {
  Failure: failure('Refused; `code` says why', {
    error: 'Invalid token id',
    code: 'invalid_parameter',
    field: 'token_id',
    limit: 'a decimal uint256',
    actual: 'yes',
  }),
  Unauthorized: failure('The credentials are missing or wrong', {
    error: 'invalid_l2',
    code: 'missing_header',
    field: 'SERVICE_API_KEY',
  }),
  TooManyRequests: failure(
    'A budget of requests is used up; nothing was done',
    { error: 'Too Many Requests', code: 'too_many_requests' },
    { headers: LIMIT_HEADERS },
  ),
};

/** The failure of a route whose refusals carry an order result. */
export const ORDER_REFUSAL_RESPONSE: JsonObject = {
  description: 'The order was refused; nothing was placed',
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/OrderRefusal' },
      example: {
        error: 'not enough balance / allowance',
        code: 'not_enough_cash',
        field: 'order.maker',
        asset: 'cash',
        required: '5.7',
        available: '3.4',
        held: '0',
        success: false,
        errorMsg: 'not enough balance / allowance',
        orderID: '',
        orderHash: null,
        takingAmount: '',
        makingAmount: '',
        status: 'error',
        transactionsHashes: [],
        tradeIDs: [],
      },
    },
  },
};
