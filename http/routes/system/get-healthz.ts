import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

const ALIVE = { alive: true } as const;

/**
 * GET /healthz: the process answers. True also while it starts, stops or is overloaded, because a
 * restart would help with none of these.
 */
export const getHealthz = defineRoute({
  method: 'GET',
  path: '/healthz',
  summary: 'Whether the process is alive',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Type.Object({ alive: Type.Literal(true) }),
  whenStarting: () => ALIVE,
  handler: () => ALIVE,
});
