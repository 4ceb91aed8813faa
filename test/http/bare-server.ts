/** What tests of the server itself share: routes and services of no exchange. */
import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../http/api/route.ts';
import type { Services } from '../../http/services/services.ts';
import { DEFAULT_SETTINGS } from '../../http/settings/settings.ts';

/** What all routes of a test have that takes and promises nothing. */
export const bareRoute = {
  summary: 'A route of this test',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  response: Type.Any(),
} as const;

// Safe: such routes use no service, and without authentication the server only the clock.
export const bareServices = { settings: DEFAULT_SETTINGS, now: () => 1 } as unknown as Services;
