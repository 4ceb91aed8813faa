import { Type } from 'typebox';
import { ANY_BODY } from '../../api/index.ts';
import { type Dialect, dialectOf, HEADER_PREFIXES } from '../../codec/index.ts';
import type { Explanation } from '../../debug/order-explainer.ts';
import { bodyOf, StepBody } from '../../debug/step.ts';
import { errorBody, sentenceOf } from '../../errors/index.ts';
import { OrderRefusal, OrderResult, refusalKeys } from '../../orders/result.ts';
import { SubmissionBody } from '../../orders/submission.ts';
import { OrNull } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const Answer = Type.Object({
  status: Type.Integer({ description: 'HTTP status' }),
  body: Type.Union([OrderResult, OrderRefusal]),
});

const Wording = Type.Optional(
  Type.Enum([...HEADER_PREFIXES], {
    description: 'Wording of error sentences; by default that of the dialect of the request',
  }),
);

/** The answer of POST /order; null for a new order, whose trades are not known yet. */
function answerOf({ refusal, known }: Explanation, dialect: Dialect) {
  if (refusal === undefined) return known === undefined ? null : { status: 200, body: known };
  const keys = refusalKeys(refusal, sentenceOf(refusal, dialect));
  return { status: refusal.entry.status, body: { ...errorBody(refusal, dialect), ...keys } };
}

/**
 * POST /debug/order: takes the body of POST /order, places nothing, and explains what would happen.
 * It needs no API key, but without the owner's key it shows no balance: many may have seen an order
 * and its signature, and they must not learn what the account has now.
 */
export const postDebugOrder = defineRoute({
  method: 'POST',
  path: '/debug/order',
  summary: 'Explain a signed order step by step, without placing it',
  auth: 'may_l2',
  givesWay: true,
  query: Type.Object({ wording: Wording }),
  body: ANY_BODY,
  documentedBody: SubmissionBody,
  response: Type.Object({
    wouldBeAccepted: Type.Boolean(),
    orderHash: OrNull(Type.String()),
    answer: Type.Union([Answer, Type.Null()], {
      description: 'The answer of POST /order; null for a new order that would be accepted',
    }),
    steps: Type.Array(StepBody),
  }),
  needs: ['orderExplainer'],
  handler: async ({ body, query, caller, request, services }) => {
    const { wording } = query;
    const dialect = wording === undefined ? request.dialect : dialectOf(wording);
    const explanation = await services.orderExplainer.explain(body, request.nowMs, caller);
    return {
      wouldBeAccepted: explanation.refusal === undefined,
      orderHash: explanation.orderHash,
      answer: answerOf(explanation, dialect),
      steps: explanation.steps.map((step) => bodyOf(step, dialect)),
    };
  },
});
