import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET /time: the server's clock in whole Unix seconds, which clients may sign with (wire 1.2). */
export const getTime = defineRoute({
  method: 'GET',
  path: '/time',
  summary: "The server's time in seconds",
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Integer(),
  handler: ({ request }) => Math.floor(request.nowMs / 1000),
});
