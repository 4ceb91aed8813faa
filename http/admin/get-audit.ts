import { Type } from 'typebox';
import { Failure } from '../failure-schema.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS, RawReply } from '../route.ts';

const Audit = Type.Object({
  ok: Type.Boolean({ description: 'Every invariant of the whole state holds' }),
  fault: Type.String({ description: 'The first that does not; "" when all do' }),
  stateHash: Type.String({ description: 'SHA-256 of the whole state' }),
  appliedSeq: Type.Integer(),
  durableSeq: Type.Integer(),
});

const faultOf = (validate: () => void): string => {
  try {
    validate();
    return '';
  } catch (error) {
    // The audit is there to tell: a broken invariant is its answer, not its failure.
    return error instanceof Error ? error.message : String(error);
  }
};

/**
 * GET /audit: adds up the whole state again. Takes its time: the exchange waits for it. Answers
 * when the state it speaks of is durable.
 */
export const getAudit = defineRoute({
  method: 'GET',
  path: '/audit',
  summary: 'Check every invariant of the whole state',
  auth: 'operator',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: NO_BODY,
  response: Audit,
  failure: Type.Union([Audit, Failure]),
  handler: async ({ services: { exchange, metrics } }) => {
    const fault = faultOf(() => exchange.validate());
    metrics.audits.add(fault === '' ? 'ok' : 'broken');
    if (fault !== '') metrics.violations += 1;
    const seen = { stateHash: exchange.stateHash(), appliedSeq: exchange.appliedSeq };
    // In the same turn: a command of no content is answered when all before it is durable.
    await exchange.submit({ kind: 'advance_time' });
    const audit = { ok: fault === '', fault, ...seen, durableSeq: exchange.durableSeq };
    return new RawReply(audit.ok ? 200 : 500, JSON.stringify(audit));
  },
});
