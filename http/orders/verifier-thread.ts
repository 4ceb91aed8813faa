/**
 * A verifier thread: it recovers who signed an order and looks the order's id up in the journal's
 * index, so that the matching thread does neither.
 *
 * Invariant: it holds nothing that another thread needs. An error that it throws ends it, and the
 * pool starts another one.
 */
// The first import: it ends the process on a Node version that crashes in native modules.
import '../../persistence/threads/node-version.ts';
import { strict as assert } from 'node:assert';
import { openOrderIdIndex } from '../../persistence/journal/order-ids.ts';
import { type Post, runWorker } from '../../persistence/threads/index.ts';
import { DomainTable } from '../signing/domain-table.ts';
import { SearchBudget } from '../signing/search-budget.ts';
import { verifyOrder } from '../signing/verify-order.ts';
import {
  hostMs,
  type Verdict,
  type VerifierAnswer,
  type VerifierData,
  type VerifierRequest,
  verdictColumns,
} from './verifier-protocol.ts';

runWorker('verifier', (data: VerifierData, post: Post<VerifierAnswer>) => {
  const { domains, wallets, areSearchesBounded, isTimed = false } = data;
  const searches = areSearchesBounded ? new SearchBudget(() => performance.now()) : undefined;
  const table = new DomainTable(domains, searches);
  const orderIds = openOrderIdIndex(data.journalPath);

  function verdictsOf({ verifications, forgottenSeq }: VerifierRequest): Verdict[] {
    const verified = verifications.map(({ order, ...context }) =>
      verifyOrder(order, { domains: table, wallets, ...context }),
    );
    const hashes = verified.flatMap((one) => (one.ok ? [one.orderHash] : []));
    const lookups = orderIds.lookupAll(hashes, forgottenSeq).values();
    return verified.map((one): Verdict => {
      if (!one.ok) return one;
      const lookup = lookups.next().value;
      assert(lookup !== undefined, 'each good order has a lookup');
      const { orderHash: orderId, domain } = one;
      return { ok: true, orderId, domain: domains.indexOf(domain), lookup };
    });
  }

  function answerTo(request: VerifierRequest): VerifierAnswer {
    return { kind: 'verdicts', id: request.id, verdicts: verdictColumns(verdictsOf(request)) };
  }

  function timedAnswerTo(request: VerifierRequest): VerifierAnswer {
    const startMs = hostMs();
    const answer = answerTo(request);
    return { ...answer, work: { startMs, endMs: hostMs() } };
  }

  return {
    opened: undefined,
    receive: (request: VerifierRequest) =>
      post(isTimed ? timedAnswerTo(request) : answerTo(request)),
    close: () => orderIds.close(),
  };
});
