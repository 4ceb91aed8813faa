import { Type } from 'typebox';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';

/**
 * GET /auth/ban-status/closed-only: whether the caller may only close positions, in both spellings
 * (wire 1.3). Nobody is in that mode yet.
 */
export const getClosedOnly = defineRoute({
  method: 'GET',
  path: '/auth/ban-status/closed-only',
  summary: 'Whether you may only close positions',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Object({ closed_only: Type.Boolean(), closedOnly: Type.Boolean() }),
  handler: () => ({ closed_only: false, closedOnly: false }),
});
