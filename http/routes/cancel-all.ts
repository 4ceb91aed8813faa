import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import { allCanceled, CancelResult } from './cancel-result.ts';

/** DELETE /cancel-all: cancels the live orders of all the caller's accounts, oldest first. */
export const cancelAll = defineRoute({
  method: 'DELETE',
  path: '/cancel-all',
  summary: 'Cancel all your orders',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: CancelResult,
  handler: async ({ caller, services }) =>
    allCanceled(await services.intake.cancelAll(caller, { conditionId: '', tokenId: '' })),
});
