/** Cash and the value of tokens over time. */
import { courseOf, historyQuery, type PriceRange } from '../charts/history-columns.ts';
import { DECIMALS, parseDecimal } from '../kit/index.ts';
import { type BalanceHistory, send } from '../wire/index.ts';

/** Whose balance: the exchange tells that of others only in the sandbox. */
export interface BalanceOwner {
  readonly account: string;
  readonly isOwn: boolean;
}

export interface BalancePoint {
  readonly timeS: number;
  readonly cashMicros: number;
  readonly totalMicros: number;
}

/** A value may have half a micro, which is cut. */
function microsIn(text: string): number {
  const [whole = '', fraction = ''] = text.split('.');
  const cut = `${whole}.${fraction.slice(0, DECIMALS.micros)}`;
  return Number(parseDecimal(cut, DECIMALS.micros) ?? 0n);
}

function fetchHistory(
  { account, isOwn }: BalanceOwner,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<BalanceHistory> {
  if (!isOwn) {
    const path = '/explorer/accounts/{address}/balances';
    return send({ method: 'GET', path, params: { address: account }, query, signal });
  }
  const own = { ...query, user: account };
  return send({ method: 'GET', path: '/balance-history', query: own, auth: 'l2', signal });
}

async function exchangeTimeMs(signal: AbortSignal): Promise<number> {
  return 1_000 * (await send({ method: 'GET', path: '/time', signal }));
}

/** The points since the account had something. */
export async function fetchBalances(
  owner: BalanceOwner,
  range: PriceRange,
  signal: AbortSignal,
): Promise<readonly BalancePoint[]> {
  const nowMs = await exchangeTimeMs(signal);
  const query = historyQuery(range, nowMs);
  const { history, step_seconds } = await fetchHistory(owner, query, signal);
  const course = courseOf(history, step_seconds, nowMs / 1_000);
  const points = course.map(({ t, balance_micros, total_cash }) => ({
    timeS: t,
    cashMicros: balance_micros,
    totalMicros: microsIn(total_cash),
  }));
  const start = points.findIndex(({ totalMicros }) => totalMicros > 0);
  const first = points[start];
  if (first === undefined) return [];
  // A line of one point would not be seen.
  const before = start === points.length - 1 ? [{ ...first, timeS: first.timeS - 60 }] : [];
  return [...before, ...points.slice(start)];
}

/** So late is the first known total of an account that is new. */
const DAY_STEP_MINUTES = 5;
const DAY_S = 86_400;

/** The total of a day ago, or when the account was opened if that was later. */
export async function fetchDayStart(
  owner: BalanceOwner,
  signal: AbortSignal,
): Promise<number | undefined> {
  const nowS = Math.floor((await exchangeTimeMs(signal)) / 1_000);
  const query = { startTs: nowS - DAY_S, fidelity: DAY_STEP_MINUTES };
  const { history } = await fetchHistory(owner, query, signal);
  return history.map(({ total_cash }) => microsIn(total_cash)).find((micros) => micros > 0);
}
