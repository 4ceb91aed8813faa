import { Type } from 'typebox';
import { paperOf } from '../../auth/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { act, WHO_AND_WHY } from '../shared/index.ts';

const AccountBody = Type.Object({
  address: Type.String({ description: 'The account: the owner itself, or a wallet of it' }),
  owner: Type.String({ description: 'The externally owned address that signs' }),
  wallet: Type.Enum(['eoa', 'proxy', 'safe', 'deposit']),
  ...WHO_AND_WHY,
});

/** POST /accounts: binds an address to its owner, for good (design 3). */
export const postAccounts = defineRoute({
  method: 'POST',
  path: '/accounts',
  summary: 'Open an account',
  auth: 'operator',
  body: AccountBody,
  response: Type.Object({
    address: Type.String(),
    owner: Type.String(),
    duplicate: Type.Boolean({ description: 'It was open before' }),
  }),
  needs: ['settings', 'exchange'],
  handler: async ({ body, services }) => {
    const address = addressIn('address', body.address);
    const owner = addressIn('owner', body.owner);
    const { wallet } = body;
    const paperMicros = paperOf(services.settings);
    const command = { kind: 'open_account', address, owner, wallet, paperMicros } as const;
    const { duplicate } = await act(services, command, body);
    return { address, owner, duplicate };
  },
});
