import { Type } from 'typebox';
import { FEE_ACCOUNT } from '../../../engine/model/index.ts';
import { microsText } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn, amountIn } from '../../views/index.ts';
import { act, WHO_AND_WHY } from '../shared/index.ts';

const MoneyBody = Type.Object({
  account: Type.String({
    description: `Address of an open account; fees are collected in ${FEE_ACCOUNT}`,
  }),
  amount: Type.String({ description: 'Collateral, decimal with up to 6 places' }),
  key: Type.String({ description: 'Idempotency key: the same movement is made once' }),
  ...WHO_AND_WHY,
});

const MoneyMoved = Type.Object({
  account: Type.String(),
  amount: Type.String(),
  key: Type.String(),
  duplicate: Type.Boolean({ description: 'It was made before, and not again' }),
});

/** POST /deposits and POST /withdrawals: moves collateral in or out of an account, once a key. */
function moneyRoute(kind: 'deposit' | 'withdraw', path: string, summary: string) {
  return defineRoute({
    method: 'POST',
    path,
    summary,
    auth: 'operator',
    body: MoneyBody,
    response: MoneyMoved,
    needs: ['exchange'],
    handler: async ({ body, services }) => {
      const account = addressIn('account', body.account);
      const amountMicros = amountIn('amount', body.amount);
      const { key } = body;
      const { duplicate } = await act(services, { kind, account, amountMicros, key }, body);
      return { account, amount: microsText(amountMicros), key, duplicate };
    },
  });
}

export const postDeposits = moneyRoute('deposit', '/deposits', 'Deposit collateral');
export const postWithdrawals = moneyRoute('withdraw', '/withdrawals', 'Withdraw collateral');
