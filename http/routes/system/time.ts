/** The clock and the order version that clients sign with (wire 1.2). */
import { Type } from 'typebox';
import { defineRoute } from '../../services/index.ts';

/** GET /time: the server's clock in whole Unix seconds. */
export const getTime = defineRoute({
  method: 'GET',
  path: '/time',
  summary: "The server's time in seconds",
  auth: 'none',
  response: Type.Integer(),
  handler: ({ request }) => Math.floor(request.nowMs / 1000),
});

/** GET /version: the version 2 makes clients build the current order struct. */
export const getVersion = defineRoute({
  method: 'GET',
  path: '/version',
  summary: 'The version of the order struct',
  auth: 'none',
  response: Type.Object({ version: Type.Integer() }),
  handler: () => ({ version: 2 }),
});
