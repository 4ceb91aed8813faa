import { type Static, Type } from 'typebox';
import { CATALOG_ROUTES, getImage } from '../../catalog/routes/index.ts';
import type { Micros } from '../../engine/index.ts';
import type { AuditReport, AuditTotals } from '../../persistence/index.ts';
import { RawReply } from '../api/index.ts';
import { isoTime, microsText } from '../codec/index.ts';
import { Failure } from '../errors/index.ts';
import { OPERATOR_ROLES } from '../operators/operator-gate.ts';
import { Text, TrueFalse } from '../parameters/index.ts';
import { ANALYTICS_ROUTES } from '../routes/analytics/index.ts';
import { getClobMarket, getMarket, getMarkets } from '../routes/markets/index.ts';
import { getBook, getPricesHistory } from '../routes/prices/index.ts';
import { defineRoute, type Route } from '../services/index.ts';

/**
 * Reads of the public listener that the operator's pages need too. A page talks to the listener
 * that it came from and to no other, so they are served here as well, behind the token.
 */
const READS: readonly Route[] = [
  getMarkets,
  getMarket,
  getClobMarket,
  getBook,
  getPricesHistory,
  ...CATALOG_ROUTES,
  ...ANALYTICS_ROUTES,
];

export const PUBLIC_READS: readonly Route[] = [
  ...READS.filter(({ method }) => method === 'GET').map(
    (route): Route => ({ ...route, auth: 'operator' }),
  ),
  // The browser loads pictures by itself, without the token.
  getImage,
];

/**
 * GET /operators: who may use this listener, from the file of operators that is in effect. Their
 * number is bounded by the file.
 */
export const getOperators = defineRoute({
  method: 'GET',
  path: '/operators',
  summary: 'The operators and their roles',
  auth: 'operator',
  response: Type.Object({
    you: Text('Your name; "" where operators share one token'),
    resolutions_need_two: TrueFalse('Whether two operators must ask for a resolution'),
    data: Type.Array(
      Type.Object({
        name: Text('"" where operators share one token'),
        roles: Type.Array(Type.Enum([...OPERATOR_ROLES])),
        tokens: Type.Integer({ description: 'How many tokens are valid for this operator' }),
      }),
    ),
  }),
  needs: ['operators'],
  handler: ({ caller, services: { operators } }) => ({
    you: caller.name,
    resolutions_need_two: operators.resolutionsNeedTwo,
    data: operators.operators.map(({ name, roles, digests }) => ({
      name,
      roles: [...roles],
      tokens: digests.length,
    })),
  }),
});

const Sums = Type.Object(
  {
    available: Text('Cash of all accounts that is not held by orders'),
    held: Text('Cash that is held by orders'),
    fees: Text('The part of `available` and `held` that the fee account has'),
    locked: Text('Collateral behind complete sets, and payouts that are not redeemed yet'),
    deposits: Text('All deposits, including play money'),
    withdrawals: Text('All withdrawals'),
  },
  { description: 'Collateral: available + held + locked = deposits - withdrawals' },
);

const Audit = Type.Object({
  ok: TrueFalse('Whether every invariant holds'),
  fault: Text('The first broken invariant; "" for none'),
  seq: Type.Integer({
    description: 'Sequence number of the last command in the audited state; it is durable',
  }),
  time: Text('The time of that command, ISO 8601'),
  stateHash: Text('SHA-256 of the whole state'),
  collateral: Sums,
  liveOrders: Type.Integer(),
  markets: Type.Integer(),
  accounts: Type.Integer(),
});

/** In a broken state a sum may be any number, and must be shown all the same. */
function sumText(micros: number): string {
  return Number.isSafeInteger(micros) && micros >= 0
    ? microsText(micros as Micros) // Safe: it is whole and not negative.
    : `${micros} micros`;
}

function sumsOf(totals: AuditTotals): Static<typeof Sums> {
  return {
    available: sumText(totals.availableMicros),
    held: sumText(totals.heldMicros),
    fees: sumText(totals.feesMicros),
    locked: sumText(totals.lockedMicros),
    deposits: sumText(totals.depositedMicros),
    withdrawals: sumText(totals.withdrawnMicros),
  };
}

function auditOf({ totals, timeMs, ...report }: AuditReport): Static<typeof Audit> {
  return {
    ok: report.ok,
    fault: report.fault,
    seq: report.seq,
    time: isoTime(timeMs),
    stateHash: report.stateHash,
    collateral: sumsOf(totals),
    liveOrders: totals.liveOrders,
    markets: totals.markets,
    accounts: totals.accounts,
  };
}

/**
 * GET /audit: checks every invariant of a state that a separate thread replays from the journal, so
 * trading does not wait for it. The state includes every command before the request. The first
 * audit after a start replays the whole journal. The status is 500 if an invariant is broken; if it
 * is broken in the live state too, the exchange stops instead.
 */
export const getAudit = defineRoute({
  method: 'GET',
  path: '/audit',
  summary: 'Check every invariant of the whole state',
  auth: 'operator',
  response: Audit,
  failure: Type.Union([Audit, Failure]),
  needs: ['exchange', 'metrics'],
  handler: async ({ services: { exchange, metrics } }) => {
    const report = await exchange.audit();
    metrics.audits.add(report.ok ? 'ok' : 'broken');
    return new RawReply(report.ok ? 200 : 500, JSON.stringify(auditOf(report)));
  },
});
