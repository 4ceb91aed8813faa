/**
 * A verifier thread: recovers who signed an order and looks its id up in the journal's index, both
 * of which would keep the matching thread from matching.
 *
 * Invariant: it holds nothing that another thread needs; whatever it throws ends it, and the pool
 * starts another one.
 */
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { openOrderIdIndex } from '../../persistence/journal/index.ts';
import { setThreadPriority } from '../../persistence/threads/index.ts';
import { DomainTable, SearchBudget, verifyOrder } from '../signing/index.ts';
import {
  CLOSE,
  OPENED,
  type Verdict,
  type VerifierAnswer,
  type VerifierData,
  type VerifierRequest,
} from './verifier-protocol.ts';

const port = parentPort;
assert(port !== null, 'a verifier thread is started by the pool');
setThreadPriority('verifier');

// Safe: the pool gives exactly this.
const data = workerData as VerifierData;
const searches = data.areSearchesBounded ? new SearchBudget(() => performance.now()) : undefined;
const table = new DomainTable(data.domains, searches);
const orderIds = openOrderIdIndex(data.orderIds);

function judgeAll({ verifications, forgottenSeq }: VerifierRequest): Verdict[] {
  const verified = verifications.map(({ order, ...context }) =>
    verifyOrder(order, { domains: table, ...context }),
  );
  const good = verified.filter((one) => one.ok);
  const hashes = good.map(({ orderHash }) => orderHash);
  const lookups = orderIds.lookupAll(hashes, forgottenSeq).values();
  return verified.map((one): Verdict => {
    if (!one.ok) return one;
    const lookup = lookups.next().value;
    assert(lookup !== undefined, 'there are as many as good ones');
    const { orderHash: orderId, domain } = one;
    return { ok: true, orderId, domain: data.domains.indexOf(domain), lookup };
  });
}

port.on('message', (request: VerifierRequest | typeof CLOSE) => {
  if (request === CLOSE) {
    orderIds.close();
    port.close();
    return;
  }
  const answer: VerifierAnswer = { id: request.id, verdicts: judgeAll(request) };
  port.postMessage(answer);
});
port.postMessage(OPENED);
