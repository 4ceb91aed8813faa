import t from 'tap';
import { LOG_START, type LogView, monotonicMs } from '../../cluster/log/index.ts';
import { NO_HOLDER } from '../../cluster/log/log-records.ts';
import { TakeoverRule } from '../../cluster/takeover-rule.ts';

function view(epoch: number, number: number, hasResigned = false): LogView {
  const holder = { ...NO_HOLDER, epoch, node: 'core', claimId: '1', hasResigned };
  return { holder, head: { ...LOG_START, number }, lastSeq: 0, oldest: 1 };
}

function standby({ hasAllContent = true } = {}): TakeoverRule {
  return new TakeoverRule('standby', () => hasAllContent);
}

t.test('a standby claims after looks that found the same entry for 1.5 seconds', (t) => {
  const nowMs = monotonicMs();
  const later = nowMs + 2_000;
  const rule = standby();
  t.notOk(rule.isToClaim(view(1, 5), nowMs));
  t.notOk(rule.isToClaim(view(1, 5), nowMs + 1_000), 'too early');
  t.notOk(rule.isToClaim(view(1, 6), later), 'the core wrote an entry');
  t.ok(rule.isToClaim(view(1, 6), later), 'the log was silent');
  rule.reset();
  t.notOk(rule.isToClaim(view(1, 6), later), 'the count begins anew');
  t.notOk(rule.isToClaim(view(1, 6), nowMs - 600), 'a slow look');
  t.notOk(rule.isToClaim(view(1, 6), later), 'does not count');
  t.end();
});

// Another standby that had just claimed, and had not written its first entry, was deposed.
t.test('a new holder has the time of a silence for its first entry', (t) => {
  const nowMs = monotonicMs();
  const rule = standby();
  t.notOk(rule.isToClaim(view(1, 5), nowMs));
  t.notOk(rule.isToClaim(view(2, 5), nowMs + 2_000));
  t.ok(rule.isToClaim(view(2, 5), nowMs + 4_000));
  t.end();
});

t.test('nobody waits for a silence after a core that has resigned', (t) => {
  const nowMs = monotonicMs();
  t.ok(standby().isToClaim(view(1, 5, true), nowMs));
  const core = new TakeoverRule('core', () => true);
  t.notOk(core.isToClaim(view(1, 5), nowMs));
  t.ok(core.isToClaim(view(1, 6, true), nowMs), 'also if it wrote an entry before');
  t.end();
});

t.test('a node that lacks content, and a gateway, do not claim', (t) => {
  const nowMs = monotonicMs();
  for (const rule of [standby({ hasAllContent: false }), new TakeoverRule('gateway', () => true)]) {
    t.notOk(rule.isToClaim(view(1, 5), nowMs));
    t.notOk(rule.isToClaim(view(1, 5), nowMs + 2_000));
    t.notOk(rule.isToClaim(view(1, 5, true), nowMs));
  }
  t.end();
});
