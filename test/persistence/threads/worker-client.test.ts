// Every question settles once: with its answer, the error that the worker threw, or a refusal.
import t from 'tap';
import { WorkerClient } from '../../../persistence/threads/index.ts';
import type { Scope } from '../../temporary-folder.ts';
import { until } from '../store-fixture.ts';
import { CODED_ERRORS, CodedError, type Kinds } from './questions.ts';

const WAITING_LIMIT = 4;

async function start(scope: Scope) {
  const deaths: string[] = [];
  const client = new WorkerClient<Kinds>({
    entry: new URL('./question-worker.ts', import.meta.url),
    name: 'the test worker',
    data: undefined,
    downCode: 'reader_unavailable',
    waitingLimit: WAITING_LIMIT,
    errors: CODED_ERRORS,
    isSlow: (kind) => kind === 'wait',
    onDown: ({ message }) => deaths.push(message),
  });
  scope.teardown(() => client.stop());
  await client.start();
  return { client, deaths };
}

function gate(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

t.test('each question is answered, and buffers move in both directions', async (t) => {
  const { client } = await start(t);
  const texts = ['a', 'b', 'c', 'd'];
  t.strictSame(await Promise.all(texts.map((text) => client.ask('echo', text))), texts);
  const bytes = new Uint8Array([1, 2, 3]);
  t.equal(await client.ask('sum', bytes, [bytes.buffer]), 6);
  t.equal(bytes.length, 0, 'the buffer is detached');
  t.strictSame(await client.ask('zeros', 3), new Uint8Array(3));
  t.equal(client.waitingCount, 0);
});

t.test('an error reaches the asker, and the worker continues', async (t) => {
  const { client, deaths } = await start(t);
  const coded: unknown = await client.ask('fail', 'coded').catch((error: unknown) => error);
  t.ok(coded instanceof CodedError && coded.code === 7, 'the codec keeps the class');
  await t.rejects(client.ask('fail', 'store'), { code: 'search_too_wide', message: 'too wide' });
  await t.rejects(client.ask('fail', 'database'), {
    code: 'reader_unavailable',
    message: 'the test worker failed: disk I/O error',
  });
  await t.rejects(client.ask('fail', 'mistake'), new Error('a mistake'));
  t.equal(await client.ask('echo', 'still here'), 'still here');
  t.strictSame(deaths, []);
});

t.test('questions beyond the limit are refused', async (t) => {
  const { client } = await start(t);
  const asked = Array.from({ length: WAITING_LIMIT }, () => client.ask('echo', 'x'));
  await t.rejects(client.ask('echo', 'y'), {
    code: 'overloaded',
    message: `${WAITING_LIMIT} questions wait for the test worker`,
  });
  await Promise.all(asked);
  t.equal(await client.ask('echo', 'z'), 'z');
});

t.test('a death rejects all waiting questions; the worker restarts', async (t) => {
  const { client, deaths } = await start(t);
  const down = {
    code: 'reader_unavailable',
    message: 'the test worker is down: the test worker ended',
  };
  const asked = [
    client.ask('exit', undefined),
    client.ask('wait', gate()),
    client.ask('echo', 'x'),
  ];
  await Promise.all(asked.map((one) => t.rejects(one, down)));
  t.strictSame(deaths, ['the test worker ended']);
  t.notOk(client.isUp);
  await t.rejects(client.ask('echo', 'x'), { code: 'reader_unavailable' });
  await until(() => client.isUp);
  t.equal(await client.ask('echo', 'x'), 'x');
  const again = gate();
  open(again);
  t.equal(await client.ask('wait', again), 'waited', 'earlier slow questions do not block it');
});

t.test('slow questions are sent one at a time, and quick ones between them', async (t) => {
  const { client } = await start(t);
  const gates = [gate(), gate()];
  const order: string[] = [];
  const asked = [
    ...gates.map((one, index) => client.ask('wait', one).then(() => order.push(`slow ${index}`))),
    client.ask('echo', 'quick').then((text) => order.push(text)),
  ];
  t.equal(client.waitingCount, 3);
  open(gates[0]!);
  await until(() => order.length === 2);
  t.strictSame(order, ['slow 0', 'quick']);
  open(gates[1]!);
  await Promise.all(asked);
  t.strictSame(order, ['slow 0', 'quick', 'slow 1']);
});

t.test('a stop rejects later questions', async (t) => {
  const { client } = await start(t);
  await client.stop();
  await t.rejects(client.ask('echo', 'x'), { code: 'reader_unavailable' });
});
