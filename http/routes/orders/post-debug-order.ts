import { Type } from 'typebox';
import { ANY_BODY } from '../../api/index.ts';
import type { HeaderPrefix } from '../../codec/index.ts';
import { bodyOf, type Explanation, StepBody } from '../../debug/index.ts';
import { errorBody, sentenceOf } from '../../errors/index.ts';
import { OrderRefusal, OrderResult, refusalKeys, SubmissionBody } from '../../orders/index.ts';
import { defineRoute } from '../../services/index.ts';

const Answer = Type.Object({
  status: Type.Integer({ description: 'HTTP status' }),
  body: Type.Union([OrderResult, OrderRefusal]),
});

const Wording = Type.Optional(
  Type.Enum(['SERVICE', 'KUEST', 'POLY'], {
    description: 'Prefix of the headers in whose wording errors are told; SERVICE by default',
  }),
);

/** What POST /order would send; null for a new order, whose trades are not known before it. */
function answerOf({ refusal, known }: Explanation, prefix: HeaderPrefix) {
  if (refusal === undefined) return known === undefined ? null : { status: 200, body: known };
  const keys = refusalKeys(refusal, sentenceOf(refusal, prefix));
  return { status: refusal.entry.status, body: { ...errorBody(refusal, prefix), ...keys } };
}

/**
 * POST /debug/order: takes what POST /order takes, places nothing, and explains what would come of
 * it. Needs no key: an account's balance is told to whoever signed the order with its key.
 */
export const postDebugOrder = defineRoute({
  method: 'POST',
  path: '/debug/order',
  summary: 'Explain a signed order step by step, without placing it',
  auth: 'none',
  givesWay: true,
  query: Type.Object({ wording: Wording }),
  body: ANY_BODY,
  documentedBody: SubmissionBody,
  response: Type.Object({
    wouldBeAccepted: Type.Boolean(),
    orderHash: Type.Union([Type.String(), Type.Null()]),
    answer: Type.Union([Answer, Type.Null()], {
      description: 'What POST /order would answer; null for a new order that would be accepted',
    }),
    steps: Type.Array(StepBody),
  }),
  needs: ['orderExplainer'],
  handler: async ({ body, query, request, services }) => {
    const { wording = 'SERVICE' } = query;
    const explanation = await services.orderExplainer.explain(body, request.nowMs);
    return {
      wouldBeAccepted: explanation.refusal === undefined,
      orderHash: explanation.orderHash,
      answer: answerOf(explanation, wording),
      steps: explanation.steps.map((step) => bodyOf(step, wording)),
    };
  },
});
