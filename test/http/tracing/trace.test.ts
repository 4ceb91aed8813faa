/** Traces of requests that do not go the usual way. */
import t from 'tap';
import type { Command } from '../../../engine/index.ts';
import { TRACING_BOUNDS } from '../../../http/tracing/bounds.ts';
import { CommandTimes, type FinishedTrace, Trace } from '../../../http/tracing/trace.ts';
import type { Applied } from '../../../persistence/index.ts';

const ADVANCE: Command = { kind: 'advance_time' };
const APPLIED: Applied = { seq: 7, timeMs: 1, events: [] };

function makeTrace() {
  const ended: FinishedTrace[] = [];
  const commands = new CommandTimes();
  const trace = new Trace({
    requestId: 'a',
    arrivedMs: performance.now(),
    parent: undefined,
    commands,
    onEnd: (finished) => ended.push(finished),
  });
  const names = () => ended.flatMap(({ spans }) => spans.map(({ name }) => name));
  return { trace, commands, ended, names };
}

function receive(trace: Trace): void {
  for (const stage of ['admission', 'body', 'authentication', 'validation'] as const) {
    trace.passed(stage);
  }
}

t.test('a client that leaves before the handler runs ends the trace', async (t) => {
  const { trace, ended, names } = makeTrace();
  trace.passed('admission');
  trace.left();
  t.strictSame(names(), ['HTTP', 'receive', 'admission']);
  t.match(ended[0]?.spans[0]?.attributes, { 'error.type': 'aborted' });
});

t.test('a client that leaves later does not hide the rest', async (t) => {
  const { trace, ended, names } = makeTrace();
  receive(trace);
  trace.left();
  t.strictSame(names(), []);
  const nowMs = performance.now();
  trace.waited(nowMs, nowMs);
  trace.unanswered();
  t.equal(names().at(-1), 'line');
  trace.answered({ status: 200, code: '', startMs: nowMs, endMs: nowMs });
  t.equal(ended.length, 1, 'a trace ends once');
});

t.test('a command that waits for the steps of another has the wait in the queue', async (t) => {
  const { trace, commands, names } = makeTrace();
  receive(trace);
  await trace.follow(ADVANCE, async () => {
    await null;
    commands.applied(ADVANCE, 'changed', 0);
    return APPLIED;
  });
  trace.unanswered();
  t.strictSame(names().slice(-4), ['handle', 'queue', 'apply', 'durable']);
});

t.test('a command that is refused before the engine leaves no span and no entry', async (t) => {
  const { trace, commands, names } = makeTrace();
  receive(trace);
  const refused = trace.follow(ADVANCE, () => Promise.reject(new Error('overloaded')));
  await t.rejects(refused, { message: 'overloaded' });
  t.equal(commands.watchedCount, 0);
  trace.unanswered();
  t.equal(names().at(-1), 'handle');
});

t.test('a refusal that waits for a running commit has no wait for its batch', async (t) => {
  const { trace, commands, names } = makeTrace();
  receive(trace);
  const sentMs = performance.now();
  await trace.follow(ADVANCE, async () => {
    commands.applied(ADVANCE, 'account_unknown', 0);
    commands.committed(3, performance.now() - sentMs + 1);
    return APPLIED;
  });
  trace.unanswered();
  t.strictSame(names().slice(-4), ['apply', 'durable', 'commit', 'deliver']);
});

t.test('spans beyond the bound are counted', async (t) => {
  const { trace, ended } = makeTrace();
  receive(trace);
  for (let count = 0; count < TRACING_BOUNDS.spansPerTrace; count += 1) trace.waited(1, 2);
  trace.unanswered();
  const [{ spans } = { spans: [] }] = ended;
  t.equal(spans.length, TRACING_BOUNDS.spansPerTrace);
  // Root, receive, four stages and handle are the other seven.
  t.match(spans[0]?.attributes, { 'trace.dropped_spans': 7 });
});
