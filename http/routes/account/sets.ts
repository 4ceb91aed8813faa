/**
 * Moves between cash and tokens by the account holder. Each waits in the queue of its owner, so
 * that it keeps its place among the owner's orders.
 */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../api/index.ts';
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
import { OptionalText } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';

const OWN_ACCOUNT = {
  account: OptionalText('One of your accounts; by default, the address of your key'),
} as const;
const OwnAccount = Type.Object(OWN_ACCOUNT);

/** Throws `address_malformed`. The engine checks who owns the account. */
function actorOf({ account }: Static<typeof OwnAccount>, { owner }: Caller): Actor {
  return {
    account: account === undefined ? owner : addressIn('account', account),
    owner,
  };
}

const BASE = {
  method: 'POST',
  auth: 'l2',
  givesWay: true,
} as const;

/** The body of a split or merge. */
export const SetsSubmission = Type.Object({ ...SETS, ...OWN_ACCOUNT });

function setsRoute(kind: 'split' | 'merge', summary: string) {
  return defineRoute({
    ...BASE,
    path: `/sets/${kind}`,
    summary,
    body: SetsSubmission,
    response: SetsAnswer,
    needs: ['registry', 'intake'],
    handler: async ({ body, caller, services: { intake, registry } }) => {
      const command = setsCommand(kind, body, actorOf(body, caller), registry);
      return setsAnswer(command, await intake.moveTokens(caller, command));
    },
  });
}

/** POST /sets/split: cash becomes pairs of one YES and one NO; each pair costs 1. */
export const postSplitSets = setsRoute('split', 'Split cash into complete sets of outcome tokens');

/** POST /sets/merge: pairs of one YES and one NO become cash; each pair pays 1. */
export const postMergeSets = setsRoute('merge', 'Merge complete sets of outcome tokens into cash');

/** POST /sets/redeem: all tokens of an account in a resolved market become their payout. */
export const redeemSets = defineRoute({
  ...BASE,
  path: '/sets/redeem',
  summary: 'Redeem the tokens of a resolved market',
  body: Type.Object({ ...REDEMPTION, ...OWN_ACCOUNT }),
  response: RedemptionAnswer,
  needs: ['registry', 'intake'],
  handler: async ({ body, caller, services: { intake, registry } }) => {
    const command = redeemCommand(body, actorOf(body, caller), registry);
    return redemptionAnswer(command, await intake.moveTokens(caller, command));
  },
});

/**
 * POST /sets/convert: one NO in each of m markets of a neg-risk event becomes m - 1 in cash and one
 * YES in each of the event's other markets (docs/decisions/0026-neg-risk-events.md).
 */
export const convertSets = defineRoute({
  ...BASE,
  path: '/sets/convert',
  summary: 'Convert NO tokens of a neg-risk event',
  body: Type.Object({ ...CONVERSION, ...OWN_ACCOUNT }),
  response: ConversionAnswer,
  needs: ['intake'],
  handler: async ({ body, caller, services: { intake } }) => {
    const command = convertCommand(body, actorOf(body, caller));
    return conversionAnswer(command, await intake.moveTokens(caller, command));
  },
});
