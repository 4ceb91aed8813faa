/**
 * Moves between cash and tokens by the account holder. Each waits in the queue of its owner, so
 * that moves and orders are carried out in the order in which the owner sent them.
 */
import { type Static, Type } from 'typebox';
import type { Caller } from '../../api/index.ts';
import {
  type Actor,
  CONVERT,
  MERGE,
  type MoveKind,
  REDEEM,
  SETS,
  SPLIT,
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

/** The body of a split or merge. */
export const SetsSubmission = Type.Object({ ...SETS, ...OWN_ACCOUNT });

function moveRoute({ name, request, response, read }: MoveKind, summary: string) {
  return defineRoute({
    method: 'POST',
    path: `/sets/${name}`,
    summary,
    auth: 'l2',
    givesWay: true,
    body: Type.Object({ ...request, ...OWN_ACCOUNT }),
    response,
    needs: ['registry', 'intake'],
    handler: async ({ body, caller, services: { intake, registry } }) => {
      const { command, answerOf } = read(body, actorOf(body, caller), registry);
      return answerOf(await intake.moveTokens(caller, command));
    },
  });
}

export const SET_ROUTES = [
  // Cash becomes pairs of one YES and one NO; each pair costs 1.
  moveRoute(SPLIT, 'Split cash into complete sets of outcome tokens'),
  // Pairs of one YES and one NO become cash; each pair pays 1.
  moveRoute(MERGE, 'Merge complete sets of outcome tokens into cash'),
  // All tokens of an account in a resolved market become their payout.
  moveRoute(REDEEM, 'Redeem the tokens of a resolved market'),
  // One NO in each of m markets of a neg-risk event becomes m - 1 in cash and one YES in each of
  // the event's other markets (docs/decisions/0011-market-lives.md).
  moveRoute(CONVERT, 'Convert NO tokens of a neg-risk event'),
] as const;
