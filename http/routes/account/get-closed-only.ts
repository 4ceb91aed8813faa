import { Type } from 'typebox';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /auth/ban-status/closed-only: whether the caller may only close positions, in both spellings
 * (wire 1.3). True for a banned owner too.
 */
export const getClosedOnly = defineRoute({
  method: 'GET',
  path: '/auth/ban-status/closed-only',
  summary: 'Whether you may only close positions',
  auth: 'l2',
  response: Type.Object({ closed_only: Type.Boolean(), closedOnly: Type.Boolean() }),
  needs: ['registry'],
  handler: ({ caller, services }) => {
    const closedOnly = services.registry.standingOf(caller.owner) !== 'good';
    return { closed_only: closedOnly, closedOnly };
  },
});
