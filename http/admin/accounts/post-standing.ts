import { Type } from 'typebox';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';

const Standing = Type.Enum(['good', 'closed_only', 'banned'], {
  description: 'All goes; nothing that buys; nothing but cancels, merges and redemptions',
});

/**
 * POST /owners/{address}/standing: restricts an owner with all its accounts, or lets it go. Cancels
 * the orders that it may no longer have. It may come before the owner's first account.
 */
export const postStanding = defineRoute({
  method: 'POST',
  path: '/owners/{address}/standing',
  summary: 'Ban an owner, let it only close positions, or let it go',
  auth: 'operator',
  params: Type.Object({
    address: Type.String({ description: 'The externally owned address that signs' }),
  }),
  body: Type.Object({ standing: Standing, ...WHO_AND_WHY }),
  response: Type.Object({ owner: Type.String(), standing: Standing, duplicate: Duplicate }),
  needs: ['exchange'],
  handler: async ({ params, body, services }) => {
    const owner = addressIn('address', params.address);
    const { standing } = body;
    const { duplicate } = await act(services, { kind: 'set_standing', owner, standing }, body);
    return { owner, standing, duplicate };
  },
});
