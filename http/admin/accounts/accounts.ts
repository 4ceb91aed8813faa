import { Type } from 'typebox';
import { micros, WALLET_KINDS } from '../../../engine/model/index.ts';
import { paperOf } from '../../auth/index.ts';
import { microsText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { actionRoute } from '../shared/index.ts';

export const WalletKindSchema = Type.Enum([...WALLET_KINDS]);

/** POST /accounts: binds an address to its owner permanently. */
export const postAccounts = actionRoute({
  path: '/accounts',
  summary: 'Open an account',
  body: {
    address: Text("The account: the owner's address or a wallet's"),
    owner: Text('The externally owned address that signs'),
    wallet: WalletKindSchema,
  },
  response: { address: Type.String(), owner: Type.String() },
  needs: ['settings'],
  commandOf: ({ body, services }) => ({
    kind: 'open_account',
    address: addressIn('address', body.address),
    owner: addressIn('owner', body.owner),
    wallet: body.wallet,
    paperMicros: paperOf(services.settings),
  }),
  answerOf: ({ address, owner }) => ({ address, owner }),
});

function Cash(description: string) {
  return Text(`Collateral: ${description}`);
}

/**
 * GET /accounts/{address}: the owner and the cash of an account, also of the account that collects
 * fees. The answer waits until the cash that it shows is durable.
 */
export const getAccount = defineRoute({
  method: 'GET',
  path: '/accounts/{address}',
  summary: 'The owner and the cash of an account',
  auth: 'operator',
  params: Type.Object({ address: Type.String() }),
  response: Type.Object({
    address: Type.String(),
    owner: Type.String(),
    wallet: WalletKindSchema,
    balance: Cash('available and held'),
    available: Cash('not held by orders'),
    held: Cash('held by live orders'),
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, services: { exchange, registry } }) => {
    const address = addressIn('address', params.address);
    const owner = registry.accountOwner(address) ?? '';
    const account = registry.accountsOf(owner).find((one) => one.address === address);
    if (account === undefined) {
      throw new ApiError('account_unknown', { field: 'address', actual: address });
    }
    const view = await exchange.balance(address, '');
    const [available, held] = [micros(view.available), micros(view.held)];
    return {
      ...account,
      balance: microsText(micros(available + held)),
      available: microsText(available),
      held: microsText(held),
    };
  },
});
