/** The queue of traces, with a collector that answers as each test wants. */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { TRACING_BOUNDS, TRACING_PACE } from '../../../http/tracing/bounds.ts';
import { Exporter } from '../../../http/tracing/exporter.ts';
import type { FinishedTrace } from '../../../http/tracing/trace.ts';
import { Collector, TAKEN } from './collector.ts';

const NO_PAUSE = { ...TRACING_PACE, pauseMs: 0, backoffMs: 1, backoffMostMs: 1 };
const SECRET = 'a-secret-token';

function traceOf(spanCount: number): FinishedTrace {
  const spans = Array.from({ length: spanCount }, (_, place) => ({
    name: `span ${place}`,
    startMs: place,
    endMs: place,
    parent: place - 1,
  }));
  return { parent: undefined, spans, epochMs: 0 };
}

async function makeExporter(t: Test, pace = NO_PAUSE, endpoint?: string) {
  const collector = await Collector.start(t);
  const lines: string[] = [];
  const note = (...line: unknown[]): void => {
    lines.push(JSON.stringify(line));
  };
  const exporter = new Exporter({
    endpoint: endpoint ?? collector.endpoint,
    headers: { authorization: SECRET },
    version: '1.2.3',
    pace,
    log: { info: note, warn: note },
  });
  t.teardown(() => exporter.close());
  return { collector, exporter, lines };
}

/** Lets the exporter go on until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

t.test('traces that finish together share a message, up to a number of spans', async (t) => {
  const { collector, exporter } = await makeExporter(t);
  const half = TRACING_BOUNDS.spansPerMessage / 2;
  for (let count = 0; count < 5; count += 1) exporter.offer(traceOf(half));
  t.equal(exporter.waitingSpans, 5 * half);
  await until(() => exporter.spans.sent === 5 * half);
  t.strictSame(
    collector.received.map(({ spans }) => spans.length),
    [2 * half, 2 * half, half],
  );
  t.equal(exporter.waitingSpans, 0);
});

t.test('a trace that comes after the queue was empty is sent too', async (t) => {
  const { exporter } = await makeExporter(t);
  for (let round = 1; round <= 3; round += 1) {
    exporter.offer(traceOf(1));
    await until(() => exporter.spans.sent === round);
    // A later timer than that of the exporter's pause, after which it looks at the queue again.
    await sleep(2);
  }
});

t.test('a trace without room is dropped whole, and counted', async (t) => {
  const { exporter } = await makeExporter(t, { ...NO_PAUSE, pauseMs: 600_000 });
  const { queuedSpans } = TRACING_BOUNDS;
  exporter.offer(traceOf(queuedSpans - 1));
  exporter.offer(traceOf(2));
  t.equal(exporter.spans.queue_full, 2);
  exporter.offer(traceOf(1));
  t.equal(exporter.waitingSpans, queuedSpans);
});

t.test('a collector that is busy gets the same message again', async (t) => {
  const { collector, exporter, lines } = await makeExporter(t);
  collector.answer = (response) => {
    response.writeHead(503, { 'retry-after': '0.001' }).end();
  };
  exporter.offer(traceOf(2));
  await until(() => collector.received.length > 1);
  t.equal(exporter.spans.sent, 0);
  collector.answer = TAKEN;
  await until(() => exporter.spans.sent === 2);
  const [first, second] = collector.spans;
  t.equal(collector.spans.at(-2)?.spanId, first?.spanId);
  t.not(second?.spanId, first?.spanId);
  t.equal(lines.length, 2, 'the fault is logged once, and its end');
  t.match(lines[0], /status 503/);
  t.match(lines[1], /again/);
  for (const line of lines) t.notMatch(line, SECRET);
});

t.test('a message that is refused for good is dropped', async (t) => {
  for (const status of [400, 401, 307]) {
    const { collector, exporter, lines } = await makeExporter(t);
    collector.answer = (response) => {
      response.writeHead(status, { location: collector.endpoint }).end();
    };
    exporter.offer(traceOf(3));
    await until(() => exporter.spans.refused === 3);
    t.equal(collector.received.length, 1, 'it is not sent again, and no redirect is followed');
    t.match(lines.join(), `status ${status}`);
  }
});

t.test('spans that a collector rejects are counted', async (t) => {
  const { collector, exporter } = await makeExporter(t);
  collector.answer = (response) => {
    response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2' } }));
  };
  exporter.offer(traceOf(5));
  await until(() => exporter.spans.sent > 0);
  t.match(exporter.spans, { sent: 3, rejected: 2 });
});

t.test('an answer that is too long or malformed counts as taken', async (t) => {
  const { collector, exporter } = await makeExporter(t);
  collector.answer = (response) => {
    response.end(`{"rejectedSpans":${'1'.repeat(TRACING_BOUNDS.answerBytes)}`);
  };
  exporter.offer(traceOf(1));
  await until(() => exporter.spans.sent === 1);
  collector.answer = (response) => response.end('{"rejectedSpans"');
  exporter.offer(traceOf(1));
  await until(() => exporter.spans.sent === 2);
});

t.test('without a collector, traces wait and are dropped at the end', async (t) => {
  // Port 1 has no listener.
  const { exporter, lines } = await makeExporter(t, NO_PAUSE, 'http://127.0.0.1:1/v1/traces');
  exporter.offer(traceOf(2));
  await until(() => lines.length > 0);
  exporter.offer(traceOf(3));
  await exporter.close();
  t.match(exporter.spans, { sent: 0, stopped: 5 });
  exporter.offer(traceOf(4));
  t.match(exporter.spans, { stopped: 9 });
  t.equal(exporter.waitingSpans, 0);
});

t.test('a stop sends what waits, and does not wait for a collector that is mute', async (t) => {
  const { collector, exporter } = await makeExporter(t, { ...NO_PAUSE, pauseMs: 600_000 });
  exporter.offer(traceOf(2));
  await exporter.close();
  t.match(exporter.spans, { sent: 2, stopped: 0 });
  t.equal(collector.received.length, 1);
  const mute = await makeExporter(t, { ...NO_PAUSE, closeMs: 1 });
  mute.collector.answer = () => {};
  mute.exporter.offer(traceOf(2));
  await mute.collector.message();
  await mute.exporter.close();
  t.match(mute.exporter.spans, { sent: 0, stopped: 2 });
});
