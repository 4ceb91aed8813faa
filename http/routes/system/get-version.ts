import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET /version: 2 makes clients build the current order struct (wire 1.2). */
export const getVersion = defineRoute({
  method: 'GET',
  path: '/version',
  summary: 'The version of the order struct',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Object({ version: Type.Integer() }),
  handler: () => ({ version: 2 }),
});
