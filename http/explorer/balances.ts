/**
 * Cash and the value of tokens over time: GET /balance-history for an owner's own accounts, and
 * GET /explorer/accounts/{address}/balances for any account.
 */
import { type Static, Type } from 'typebox';
import { StoreError } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import type { Dialect } from '../codec/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { Fidelity, historyWindow, Interval } from '../format/index.ts';
import { MIN_SEQ, OptionalText, refuseLaterSeq, Text, userIn } from '../parameters/index.ts';
import { defineRoute, type Services } from '../services/index.ts';
import { addressIn } from '../views/index.ts';
import { Cash, halfMicrosCash, shownAs } from './amounts.ts';
import { BalanceHistory } from './schemas.ts';

const BALANCE = Type.Object(Cash('balance'));

const WINDOW = {
  interval: Type.Optional(Interval),
  fidelity: Type.Optional(Fidelity),
  startTs: OptionalText('Start, in Unix seconds'),
  endTs: OptionalText('End, in Unix seconds; now by default and for a time in the future'),
  ...MIN_SEQ,
};

type Window = Static<Type.TObject<typeof WINDOW>>;

interface Request {
  readonly nowMs: number;
  readonly dialect: Dialect;
}

/** Throws `invalid_parameter`, `too_many_items` and `search_too_wide`. */
async function historyOf(
  { exchange }: Pick<Services, 'exchange'>,
  account: string,
  { min_seq, ...terms }: Window,
  { nowMs, dialect }: Request,
): Promise<BalanceHistory> {
  const window = historyWindow(terms, nowMs, dialect);
  refuseLaterSeq(min_seq, exchange.appliedSeq);
  const limit = READ_BOUNDS.balancePoints;
  const asked = exchange.explorer.ask('holdingHistory', { account, ...window, limit });
  const found = await asked.catch(explainTooWide);
  if (found.stepCount > limit) {
    const reason = 'the points of the history; a larger fidelity makes fewer';
    const details = { field: 'fidelity', reason, limit, actual: found.stepCount };
    throw new ApiError('too_many_items', details);
  }
  const { startMs, stepMs, cashMicros, valueHalfMicros } = found;
  const history = cashMicros.map((micros, index) => {
    const value = valueHalfMicros[index] ?? 0n;
    return {
      t: (startMs + index * stepMs) / 1_000,
      ...shownAs(BALANCE, { balanceMicros: micros }),
      value_cash: halfMicrosCash(value),
      total_cash: halfMicrosCash(2n * BigInt(micros) + value),
    };
  });
  return { account, step_seconds: stepMs / 1_000, history };
}

function explainTooWide(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'search_too_wide') throw error;
  throw new ApiError('search_too_wide', { limit: error.message });
}

/** Public venues show cash on a chain. Here it is private, unless the sandbox shows everything. */
export const getBalanceHistory = defineRoute({
  method: 'GET',
  path: '/balance-history',
  summary: 'Your cash and the value of your tokens over time',
  auth: 'l2',
  query: Type.Object({
    user: OptionalText('One of your accounts; your own address by default'),
    ...WINDOW,
  }),
  response: BalanceHistory,
  needs: ['exchange', 'registry'],
  handler: ({ query: { user = '', ...window }, caller, request, services }) => {
    const account = user === '' ? caller.owner : userIn(user);
    if (account !== caller.owner && services.registry.accountOwner(account) !== caller.owner) {
      throw new ApiError('account_not_yours', { field: 'user', actual: echo(account) });
    }
    return historyOf(services, account, window, request);
  },
});

export const getExplorerBalances = defineRoute({
  method: 'GET',
  path: '/explorer/accounts/{address}/balances',
  summary: 'Cash of any account and the value of its tokens over time',
  auth: 'operator',
  role: 'reader',
  params: Type.Object({ address: Text('An account') }),
  query: Type.Object(WINDOW),
  response: BalanceHistory,
  needs: ['exchange'],
  handler: ({ params, query, request, services }) =>
    historyOf(services, addressIn('address', params.address), query, request),
});
