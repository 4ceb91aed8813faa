import { Type } from 'typebox';
import { micros } from '../../../engine/model/index.ts';
import { microsText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';

function Cash(description: string) {
  return Type.String({ description: `Collateral: ${description}` });
}

/**
 * GET /accounts/{address}: whose an account is and what cash it has, as of its last durable change
 * or a later one. The account that fees are collected in is one like any other.
 */
export const getAccount = defineRoute({
  method: 'GET',
  path: '/accounts/{address}',
  summary: 'Whose an account is, and its cash',
  auth: 'operator',
  params: Type.Object({ address: Type.String() }),
  response: Type.Object({
    address: Type.String(),
    owner: Type.String(),
    wallet: Type.Enum(['eoa', 'proxy', 'safe', 'deposit']),
    balance: Cash('available and held'),
    available: Cash('what can be withdrawn'),
    held: Cash('what live orders hold'),
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
