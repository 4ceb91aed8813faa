/** For tests of the server alone: a route, and the parts of a server without an exchange. */
import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../http/api/route.ts';
import type { ServerParts } from '../../http/server/options.ts';

/** A public route without parameters and with any response; a test adds the rest. */
export const bareRoute = {
  summary: 'A route of this test',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  response: Type.Any(),
} as const;

/** For servers whose routes are public and need no services. */
export const bareParts: ServerParts<object> = {
  services: {},
  authentication: { callerOf: () => undefined, claimedOwner: () => '' },
  clock: { shownMs: () => 1, offsetMs: 0 },
};
