/** Deposits, withdrawals, and the holder's moves of cash and tokens, for any account. */
import { Type } from 'typebox';
import { FEE_ACCOUNT } from '../../../engine/model/index.ts';
import { microsText } from '../../codec/index.ts';
import { operatorMoveRejectError } from '../../errors/index.ts';
import { CONVERT, MERGE, type MoveKind, REDEEM, SETS, SPLIT } from '../../format/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn, amountIn } from '../../views/index.ts';
import { ATTRIBUTION, actionRoute, saidIn, submitAction } from '../shared/action-route.ts';

/** Moves collateral into or out of an account, once for each idempotency key. */
function moneyRoute(kind: 'deposit' | 'withdraw', path: string, summary: string) {
  const key = Text('Idempotency key: a repeated request with the same key moves nothing');
  return actionRoute({
    path,
    summary,
    body: {
      account: Text(`Address of an open account; fees are collected in ${FEE_ACCOUNT}`),
      amount: Text('Collateral, a decimal with up to 6 places'),
      key,
    },
    response: { account: Type.String(), amount: Type.String(), key },
    commandOf: ({ body }) => ({
      kind,
      account: addressIn('account', body.account),
      amountMicros: amountIn('amount', body.amount),
      key: body.key,
    }),
    answerOf: ({ account, amountMicros, key }) => ({
      account,
      amount: microsText(amountMicros),
      key,
    }),
  });
}

export const postDeposits = moneyRoute('deposit', '/deposits', 'Deposit collateral');
export const postWithdrawals = moneyRoute('withdraw', '/withdrawals', 'Withdraw collateral');

/** The body of a split or merge. */
export const SetsAction = Type.Object({ ...SETS, ...ATTRIBUTION });

function moveRoute({ name, request, response, read }: MoveKind, summary: string) {
  return defineRoute({
    method: 'POST',
    path: `/accounts/{address}/${name}`,
    summary,
    auth: 'operator',
    params: Type.Object({ address: Text('The account') }),
    body: Type.Object({ ...request, ...ATTRIBUTION }),
    response,
    needs: ['exchange', 'registry'],
    handler: async ({ params, body, caller, services }) => {
      const actor = { account: addressIn('address', params.address), owner: '' };
      const { command, answerOf } = read(body, actor, services.registry);
      const { events } = await submitAction(
        services,
        command,
        saidIn(body, caller),
        operatorMoveRejectError,
      );
      return answerOf(events);
    },
  });
}

export const MOVE_ROUTES = [
  moveRoute(SPLIT, "Split an account's cash into complete sets"),
  moveRoute(MERGE, "Merge an account's complete sets into cash"),
  moveRoute(REDEEM, "Redeem an account's tokens of a resolved market"),
  moveRoute(CONVERT, "Convert an account's NO tokens of a neg-risk event"),
] as const;
