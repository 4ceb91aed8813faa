/** The answers to failed requests in the document. */
import type { JsonObject } from './schema.ts';

function failure(description: string, example: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    description,
    ...more,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Failure' }, example },
    },
  };
}

function header(type: string, description: string): JsonObject {
  return {
    description,
    schema: { type },
  };
}

const LIMIT_HEADERS: JsonObject = {
  'Retry-After': header('integer', 'Seconds to wait'),
  'X-RateLimit-Limit': header('integer', 'Requests that the window allows'),
  'X-RateLimit-Remaining': header('integer', 'Requests that are left in it'),
  'X-RateLimit-Reset': header('integer', 'When there is room again'),
};

/** The answers that all routes share. */
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
