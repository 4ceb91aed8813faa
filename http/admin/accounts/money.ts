/** Money of any account: deposits, withdrawals, and the same moves of tokens as the holder's. */
import { Type } from 'typebox';
import { FEE_ACCOUNT } from '../../../engine/model/index.ts';
import { microsText } from '../../codec/index.ts';
import { operatorMoveRejectError } from '../../errors/index.ts';
import {
  type Actor,
  CONVERSION,
  ConversionAnswer,
  conversionAnswer,
  convertCommand,
  REDEMPTION,
  RedemptionAnswer,
  redeemCommand,
  redemptionAnswer,
  SETS,
  SetsAnswer,
  setsAnswer,
  setsCommand,
} from '../../format/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn, amountIn } from '../../views/index.ts';
import { ATTRIBUTION, actionRoute, submitAction } from '../shared/index.ts';

/** Moves collateral into or out of an account, once for each idempotency key. */
function moneyRoute(kind: 'deposit' | 'withdraw', path: string, summary: string) {
  const key = Text('Idempotency key: the same movement is made once');
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

/** Throws `address_malformed`. */
function actorOf({ address }: { readonly address: string }): Actor {
  return { account: addressIn('address', address), owner: '' };
}

const BASE = {
  method: 'POST',
  auth: 'operator',
  params: Type.Object({ address: Text('The account') }),
  needs: ['exchange', 'registry'],
} as const;

/** The body of split and merge. */
export const SetsAction = Type.Object({ ...SETS, ...ATTRIBUTION });

function setsRoute(kind: 'split' | 'merge', summary: string) {
  return defineRoute({
    ...BASE,
    path: `/accounts/{address}/${kind}`,
    summary,
    body: SetsAction,
    response: SetsAnswer,
    handler: async ({ params, body, services }) => {
      const command = setsCommand(kind, body, actorOf(params), services.registry);
      const { events } = await submitAction(services, command, body, operatorMoveRejectError);
      return setsAnswer(command, events);
    },
  });
}

/** POST /accounts/{address}/split */
export const postSplit = setsRoute('split', "Split an account's cash into complete sets");

/** POST /accounts/{address}/merge */
export const postMerge = setsRoute('merge', "Merge an account's complete sets into cash");

/** POST /accounts/{address}/redeem */
export const postRedeem = defineRoute({
  ...BASE,
  path: '/accounts/{address}/redeem',
  summary: "Redeem an account's tokens of a resolved market",
  body: Type.Object({ ...REDEMPTION, ...ATTRIBUTION }),
  response: RedemptionAnswer,
  handler: async ({ params, body, services }) => {
    const command = redeemCommand(body, actorOf(params), services.registry);
    const { events } = await submitAction(services, command, body, operatorMoveRejectError);
    return redemptionAnswer(command, events);
  },
});

/** POST /accounts/{address}/convert */
export const postConvert = defineRoute({
  ...BASE,
  path: '/accounts/{address}/convert',
  summary: "Convert an account's NO tokens of a neg-risk event",
  body: Type.Object({ ...CONVERSION, ...ATTRIBUTION }),
  response: ConversionAnswer,
  handler: async ({ params, body, services }) => {
    const command = convertCommand(body, actorOf(params));
    const { events } = await submitAction(services, command, body, operatorMoveRejectError);
    return conversionAnswer(command, events);
  },
});
