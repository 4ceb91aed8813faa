import t from 'tap';
import { HTTP_BOUNDS } from '../../../http/bounds/sizes.ts';
import { Approvals } from '../../../http/operators/approvals.ts';

const ADA = { by: 'Ada', reason: 'it happened' };
const BOB = { by: 'Bob', reason: 'I saw it, too' };
const BOTH = { ...ADA, approval: BOB };

function at(nowMs: number, removed = '') {
  return { nowMs, permitted: ['Ada', 'Bob'].filter((name) => name !== removed) };
}

t.test('a request waits until another operator asks for the same', async (t) => {
  const approvals = new Approvals<{ payout: number }>();
  t.equal(approvals.ask({ payout: 1 }, ADA, at(0)), undefined);
  t.equal(approvals.ask({ payout: 1 }, ADA, at(1)), undefined, 'one operator twice');
  t.equal(approvals.ask({ payout: 0 }, BOB, at(2)), undefined, 'another request');
  const listed = approvals.list(2).map(({ request, by }) => [request.payout, by]);
  t.strictSame(listed, [
    [1, 'Ada'],
    [0, 'Bob'],
  ]);
  t.strictSame(approvals.ask({ payout: 1 }, BOB, at(3)), BOTH);
  t.equal(approvals.ask({ payout: 1 }, BOB, at(4)), undefined, 'an approval is good for once');
});

t.test('what waits too long is forgotten', async (t) => {
  const approvals = new Approvals<{ payout: number }>();
  const { approvalMs } = HTTP_BOUNDS;
  approvals.ask({ payout: 1 }, ADA, at(0));
  t.match(approvals.list(approvalMs - 1), [{ ...ADA, sinceMs: 0, untilMs: approvalMs }]);
  t.equal(approvals.ask({ payout: 1 }, BOB, at(approvalMs)), undefined);
  t.match(approvals.list(approvalMs), [{ ...BOB, sinceMs: approvalMs }]);
});

t.test('an operator who lost the role meanwhile approves nothing', async (t) => {
  const approvals = new Approvals<{ payout: number }>();
  approvals.ask({ payout: 1 }, ADA, at(0));
  t.equal(approvals.ask({ payout: 1 }, BOB, at(1, 'Ada')), undefined);
  t.match(approvals.list(1), [BOB], 'Bob is the first now');
});

t.test('beyond the bound the oldest is forgotten', async (t) => {
  const approvals = new Approvals<{ payout: number }>();
  const { waitingApprovals } = HTTP_BOUNDS;
  for (let payout = 0; payout <= waitingApprovals; payout++) approvals.ask({ payout }, ADA, at(0));
  t.equal(approvals.list(0).length, waitingApprovals);
  t.equal(approvals.ask({ payout: 1 }, BOB, at(0))?.by, 'Ada');
  t.equal(approvals.ask({ payout: 0 }, BOB, at(0)), undefined);
});
