/** Requests to a running exchange, as their traces reach a collector. */
import t, { type Test } from 'tap';
import { type SendOptions, startTestExchange } from '../exchange-fixture.ts';
import { Collector, type ReceivedSpan } from './collector.ts';

const collector = await Collector.start(t);
const headers = { 'x-token': 'secret of the collector' };
const exchange = await startTestExchange(t, {
  tracing: { endpoint: collector.endpoint, share: 1, headers },
});
const alice = await exchange.trader(1);
const [tokenId] = exchange.plain.tokenIds;

/** Sends a request of alice with this id. */
function send(requestId: string, method: string, path: string, value?: object, more = {}) {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const signed = alice.keyHeaders(method, path, body);
  const options: SendOptions = { body, headers: { ...signed, ...more, 'x-request-id': requestId } };
  return alice.send(method, path, options);
}

/** The names of the spans below a span, as a tree. */
function treeOf(spans: readonly ReceivedSpan[], parent = spans[0]): object {
  const children = spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);
  return Object.fromEntries(children.map((child) => [child.name, treeOf(spans, child)]));
}

/** Each child lies within its parent; of siblings, none is lost. */
function checkTimes(t: Test, spans: readonly ReceivedSpan[]): void {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  t.equal(byId.size, spans.length, 'ids are unique');
  for (const { name, parentSpanId, startNanos, endNanos } of spans) {
    t.ok(startNanos <= endNanos, `${name} ends after its start`);
    const parent = byId.get(parentSpanId);
    if (parent === undefined) continue;
    t.ok(parent.startNanos <= startNanos, `${name} starts in ${parent.name}`);
    t.ok(endNanos <= parent.endNanos, `${name} ends in ${parent.name}`);
  }
}

const RECEIVE = { admission: {}, body: {}, authentication: {}, validation: {} };

t.test('an order is followed from its arrival to its answer', async (t) => {
  const { body } = await send('order-1', 'POST', '/order', alice.order({ tokenId }));
  t.ok(body.orderID);
  const spans = await collector.traceOf('order-1');
  t.strictSame(treeOf(spans), {
    receive: RECEIVE,
    handle: {
      verify: { verify_wait: {}, verify_work: {} },
      line: {},
      apply: {},
      durable: { batch: {}, commit: {}, deliver: {} },
    },
    write: {},
  });
  checkTimes(t, spans);
  const [root] = spans;
  t.match(root, { name: 'POST /order', kind: 2, parentSpanId: '', isFailed: false });
  t.strictSame(root?.attributes, {
    'request.id': 'order-1',
    'http.request.method': 'POST',
    'http.route': '/order',
    'http.response.status_code': '200',
  });
  const apply = spans.find(({ name }) => name === 'apply');
  const seq = `${exchange.running.services.exchange.appliedSeq}`;
  t.strictSame(apply?.attributes, {
    'command.kind': 'place_order',
    'command.outcome': 'changed',
    'journal.seq': seq,
  });
  const skewMs = Number((root?.endNanos ?? 0n) / 1_000_000n) - Date.now();
  t.ok(Math.abs(skewMs) < 60_000, 'times are those of the wall clock');
});

t.test('each order of a batch has its own spans', async (t) => {
  const orders = [alice.order({ tokenId }), alice.order({ tokenId, lots: 1 })];
  await send('orders-1', 'POST', '/orders', orders);
  const spans = await collector.traceOf('orders-1');
  const namesOf = (wanted: string) => spans.filter(({ name }) => name === wanted);
  t.equal(namesOf('verify_work').length, 2);
  const outcomes = namesOf('apply').map(({ attributes }) => attributes['command.outcome']);
  t.equal(outcomes.length, 2);
  t.ok(outcomes.includes('changed'));
  checkTimes(t, spans);
});

t.test('a cancel and a move of tokens are followed through the journal', async (t) => {
  await send('cancel-1', 'DELETE', '/cancel-all');
  const canceled = await collector.traceOf('cancel-1');
  t.match(treeOf(canceled), { handle: { line: {}, apply: {}, durable: { commit: {} } } });
  checkTimes(t, canceled);
  const split = { market: exchange.plain.conditionId, amount: '1', key: 'a' };
  await send('split-1', 'POST', '/sets/split', split);
  const spans = await collector.traceOf('split-1');
  t.match(treeOf(spans), { handle: { line: {}, apply: {}, durable: { commit: {} } } });
});

t.test('a refusal says its code and where the request ended', async (t) => {
  const wrong = alice.keyHeaders('POST', '/order', 'another body');
  await send('refused-1', 'POST', '/order', alice.order({ tokenId }), wrong);
  const spans = await collector.traceOf('refused-1');
  t.strictSame(treeOf(spans), { receive: { admission: {}, body: {} }, write: {} });
  t.match(spans[0], {
    attributes: { 'http.response.status_code': '401', 'error.type': 'bad_signature' },
    isFailed: false,
  });
  await send('lost-1', 'GET', '/no-such-route');
  const [lost] = await collector.traceOf('lost-1');
  t.match(lost, { name: 'HTTP', attributes: { 'error.type': 'route_unknown' } });
  t.notOk(lost?.attributes['http.route']);
});

t.test('a valid traceparent is the parent of the trace, any other is ignored', async (t) => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const traceparent = `00-${traceId}-${spanId}-00`;
  await send('parent-1', 'GET', '/data/orders', undefined, { traceparent });
  t.match(await collector.traceOf('parent-1'), [{ traceId, parentSpanId: spanId }]);
  await send('parent-2', 'GET', '/data/orders', undefined, { traceparent: `00-${traceId}` });
  const [root] = await collector.traceOf('parent-2');
  t.equal(root?.parentSpanId, '');
  t.not(root?.traceId, traceId);
});

t.test("the operator's requests are traced too", async (t) => {
  const { running } = exchange;
  await fetch(`http://127.0.0.1:${running.adminPort}/operators`, {
    headers: { authorization: `Bearer ${running.adminToken}`, 'x-request-id': 'operator-1' },
  });
  const spans = await collector.traceOf('operator-1');
  t.match(spans[0], { name: 'GET /operators' });
  const text = JSON.stringify(collector.received, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  const { apiKey, passphrase, secret } = alice.credentials;
  for (const word of [running.adminToken, alice.address, apiKey, passphrase, secret]) {
    t.notMatch(text.toLowerCase(), word.toLowerCase(), 'no trace has what identifies a client');
  }
});

t.test('messages have the headers of the settings and name the service', async (t) => {
  const [message] = collector.received;
  t.match(message, {
    path: '/v1/traces',
    headers: { ...headers, 'content-type': 'application/json' },
    resource: { 'service.name': 'outcome-exchange', 'service.version': /^\d+\.\d+\.\d+/ },
  });
  const { endpoint } = collector;
  exchange.running.renew({ tracing: { endpoint, share: 1, headers: { 'x-token': 'another' } } });
  await send('headers-1', 'GET', '/data/orders');
  await collector.traceOf('headers-1');
  t.equal(collector.received.at(-1)?.headers['x-token'], 'another');
});

t.test('what is sent and what waits are counted', async (t) => {
  await send('counted-1', 'GET', '/data/orders');
  await collector.traceOf('counted-1');
  const { running } = exchange;
  const answer = await fetch(`http://127.0.0.1:${running.adminPort}/metrics`, {
    headers: { authorization: `Bearer ${running.adminToken}` },
  });
  const text = await answer.text();
  t.match(text, /^outcome_exchange_trace_spans_total\{result="sent"\} [1-9]/m);
  t.match(text, /^outcome_exchange_trace_spans_total\{result="queue_full"\} 0$/m);
  t.match(text, /^outcome_exchange_trace_spans_waiting \d+$/m);
});
