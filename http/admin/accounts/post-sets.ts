/** The same moves between cash and tokens as the account holder's, for any account. */
import { Type } from 'typebox';
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
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { act, WHO_AND_WHY } from '../shared/index.ts';

/** Throws `address_malformed`. */
function actorOf({ address }: { readonly address: string }): Actor {
  return {
    account: addressIn('address', address),
    owner: '',
  };
}

const BASE = {
  method: 'POST',
  auth: 'operator',
  params: Type.Object({ address: Type.String({ description: 'The account' }) }),
} as const;

/** Of split and merge. */
export const SetsAction = Type.Object({ ...SETS, ...WHO_AND_WHY });

function setsRoute(kind: 'split' | 'merge', summary: string) {
  return defineRoute({
    ...BASE,
    path: `/accounts/{address}/${kind}`,
    summary,
    body: SetsAction,
    response: SetsAnswer,
    needs: ['exchange', 'registry'],
    handler: async ({ params, body, services }) => {
      const command = setsCommand(kind, body, actorOf(params), services.registry);
      const { events } = await act(services, command, body, operatorMoveRejectError);
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
  body: Type.Object({ ...REDEMPTION, ...WHO_AND_WHY }),
  response: RedemptionAnswer,
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services }) => {
    const command = redeemCommand(body, actorOf(params), services.registry);
    const { events } = await act(services, command, body, operatorMoveRejectError);
    return redemptionAnswer(command, events);
  },
});

/** POST /accounts/{address}/convert */
export const postConvert = defineRoute({
  ...BASE,
  path: '/accounts/{address}/convert',
  summary: "Convert an account's NO tokens of a neg-risk event",
  body: Type.Object({ ...CONVERSION, ...WHO_AND_WHY }),
  response: ConversionAnswer,
  needs: ['exchange'],
  handler: async ({ params, body, services }) => {
    const command = convertCommand(body, actorOf(params));
    const { events } = await act(services, command, body, operatorMoveRejectError);
    return conversionAnswer(command, events);
  },
});
