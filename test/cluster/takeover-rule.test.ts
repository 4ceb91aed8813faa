import t from 'tap';
import { LOG_START, type LogView, monotonicMs } from '../../cluster/log/index.ts';
import { NO_HOLDER } from '../../cluster/log/log-records.ts';
import { TakeoverRule, type TakeoverRuleOptions } from '../../cluster/takeover-rule.ts';

function view(epoch: number, number: number, hasResigned = false): LogView {
  const holder = { ...NO_HOLDER, epoch, node: 'core', claimId: '1', hasResigned };
  return { holder, head: { ...LOG_START, number }, lastSeq: 0, oldest: 1 };
}

function rule(role: 'core' | 'gateway' | 'standby', changes: Partial<TakeoverRuleOptions> = {}) {
  return new TakeoverRule({
    role,
    hasAllContent: () => true,
    diskSilenceMs: () => 0,
    now: Date.now,
    clockJumpMs: 60_000,
    onHindered: ({ message }) => t.fail(message),
    ...changes,
  });
}

const standby = () => rule('standby');

t.test('a standby claims after looks that found the same entry for 1.5 seconds', (t) => {
  const nowMs = monotonicMs();
  const later = nowMs + 2_000;
  const one = standby();
  t.notOk(one.isToClaim(view(1, 5), nowMs));
  t.notOk(one.isToClaim(view(1, 5), nowMs + 1_000), 'too early');
  t.notOk(one.isToClaim(view(1, 6), later), 'the core wrote an entry');
  t.ok(one.isToClaim(view(1, 6), later), 'the log was silent');
  one.reset();
  t.notOk(one.isToClaim(view(1, 6), later), 'the count begins anew');
  t.notOk(one.isToClaim(view(1, 6), nowMs - 600), 'a slow look');
  t.notOk(one.isToClaim(view(1, 6), later), 'does not count');
  t.end();
});

// Another standby that had just claimed, and had not written its first entry, was deposed.
t.test('a new holder has the time of a silence for its first entry', (t) => {
  const nowMs = monotonicMs();
  const one = standby();
  t.notOk(one.isToClaim(view(1, 5), nowMs));
  t.notOk(one.isToClaim(view(2, 5), nowMs + 2_000));
  t.ok(one.isToClaim(view(2, 5), nowMs + 4_000));
  t.end();
});

t.test('nobody waits for a silence after a core that has resigned', (t) => {
  const nowMs = monotonicMs();
  t.ok(standby().isToClaim(view(1, 5, true), nowMs));
  const core = rule('core');
  t.notOk(core.isToClaim(view(1, 5), nowMs));
  t.ok(core.isToClaim(view(1, 6, true), nowMs), 'also if it wrote an entry before');
  t.end();
});

// A standby that never claimed did not say why.
t.test('a hindered standby says why it does not claim, and a core does not start', (t) => {
  const nowMs = monotonicMs();
  const table: readonly (readonly [Partial<TakeoverRuleOptions>, RegExp])[] = [
    [{ hasAllContent: () => false }, /lacks comments .* does not take over/],
    [{ diskSilenceMs: () => 6_000 }, /has not answered a write of its journal for 5 seconds/],
    [{ now: () => Date.now() + 90_000 }, /90 seconds ahead of the last core's, and 60 are allowed/],
  ];
  for (const [changes, message] of table) {
    const hindered: string[] = [];
    const options = { ...changes, onHindered: (why: Error) => void hindered.push(why.message) };
    const one = rule('standby', options);
    one.noteCoreTime(Date.now());
    t.notOk(one.isToClaim(view(1, 5), nowMs));
    t.same(hindered, [], 'the log is not silent');
    t.notOk(one.isToClaim(view(1, 5), nowMs + 2_000));
    t.notOk(one.isToClaim(view(1, 5, true), nowMs));
    t.match(hindered, [message, message]);
  }
  const lacking = rule('core', { hasAllContent: () => false });
  t.throws(() => lacking.isToClaim(view(1, 5, true), nowMs), /start another node with --role core/);
  for (const hasResigned of [false, true]) {
    t.notOk(rule('gateway').isToClaim(view(1, 5, hasResigned), nowMs + 2_000));
  }
  t.end();
});
