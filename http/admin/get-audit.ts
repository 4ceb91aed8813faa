import { type Static, Type } from 'typebox';
import type { Micros } from '../../engine/index.ts';
import type { AuditReport, AuditTotals } from '../../persistence/index.ts';
import { RawReply } from '../api/index.ts';
import { isoTime, microsText } from '../codec/index.ts';
import { Failure } from '../errors/index.ts';
import { defineRoute } from '../services/index.ts';

const Sums = Type.Object(
  {
    available: Type.String({ description: 'Cash of all accounts that no order holds' }),
    held: Type.String({ description: 'Cash that their orders hold' }),
    fees: Type.String({ description: 'Of both, what the account has that collects fees' }),
    locked: Type.String({
      description: 'Collateral behind complete sets and what winners are still owed',
    }),
    deposits: Type.String({ description: 'All that ever came in, play money included' }),
    withdrawals: Type.String({ description: 'All that ever went out' }),
  },
  { description: 'Collateral: available + held + locked = deposits - withdrawals' },
);

const Audit = Type.Object({
  ok: Type.Boolean({ description: 'Every invariant of the whole state holds' }),
  fault: Type.String({ description: 'The first thing found that does not; "" when all do' }),
  seq: Type.Integer({ description: 'The last change that the state shows; it is durable' }),
  time: Type.String({ description: 'When that was, ISO 8601' }),
  stateHash: Type.String({ description: 'SHA-256 of the whole state' }),
  collateral: Sums,
  liveOrders: Type.Integer(),
  markets: Type.Integer(),
  accounts: Type.Integer(),
});

/** Sums of a state that is broken may be anything, and must be told all the same. */
function sumText(micros: number): string {
  return Number.isSafeInteger(micros) && micros >= 0
    ? microsText(micros as Micros) // whole and not negative, as was just seen
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
 * GET /audit: adds up the whole state again, as the journal's replay brings it about in a thread of
 * its own: the exchange does not wait for it. The answer shows all that was done before the
 * request. The first audit after a start replays the whole journal and takes as long. 500 when
 * something does not hold; if that is so in the live state too, the exchange stops instead.
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
