import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';
import { CancelResult, cancelFiltered } from './cancel-result.ts';

/**
 * DELETE /cancel-all: cancels the live orders of all the caller's accounts, oldest first.
 *
 * A request that is sent twice cancels twice. It is not remembered and answered as before (design
 * 7): two honest ones within a second have the same signature, and whoever placed orders between
 * them would be told that these are gone while they stand on the book.
 */
export const cancelAll = defineRoute({
  method: 'DELETE',
  path: '/cancel-all',
  summary: 'Cancel all your orders',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: CancelResult,
  needs: ['exchange', 'registry', 'intake'],
  handler: ({ caller, services }) =>
    cancelFiltered(services, caller, { conditionId: '', tokenId: '' }),
});
