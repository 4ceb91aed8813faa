import t from 'tap';
import { EtcdHttp } from '../../../cluster/log/etcd-http.ts';
import { EtcdStore } from '../../../cluster/log/etcd-store.ts';
import { NoAnswerError, type Transaction } from '../../../cluster/log/index.ts';
import type { Scope } from '../../temporary-folder.ts';
import { type Answering, CLUSTER, FakeEtcd, healthy, Refusal, SILENCE } from './fake-etcd.ts';

const NOTHING: Transaction = { compares: [], success: [], failure: [] };

const gone: Answering = () => new Refusal(503, { code: 14, message: 'gone' });

async function storeOf(scope: Scope, answers: readonly Answering[]) {
  const fakes = await Promise.all(answers.map((answer) => FakeEtcd.start(scope, answer)));
  const http = new EtcdHttp(undefined);
  scope.teardown(() => http.close());
  const urls = fakes.map(({ url }) => url);
  return { fakes, store: new EtcdStore({ http, urls, clusterId: CLUSTER }) };
}

t.test('the next node is asked after one that gave no answer', async (t) => {
  const silent: readonly (readonly [string, Answering, RegExp])[] = [
    [
      'it says that it can not',
      () => new Refusal(503, { code: 14, message: 'no leader' }),
      /"no l/,
    ],
    ['it is full', () => new Refusal(429, { code: 8, message: 'space exceeded' }), /"space exceed/],
    ['a proxy answers', () => new Refusal(502, '<html>'), /not etcd's JSON: "<html>"/],
    ['another cluster', () => ({ header: { cluster_id: '18' } }), /is of cluster 18, but .* 17/],
    ['something else', () => ({}), /is of cluster undefined/],
    ['nothing', () => SILENCE, /did not answer within 1000 ms/],
  ];
  for (const [name, answer, message] of silent) {
    const { fakes, store } = await storeOf(t, [answer, healthy(), gone]);
    await t.rejects(store.transact(NOTHING), message, name);
    t.same(await store.transact(NOTHING), { succeeded: false, found: [], revision: 5 }, name);
    await store.transact(NOTHING);
    t.same(
      fakes.map(({ asked }) => asked.length),
      [1, 2, 0],
      name,
    );
  }
});

t.test('an answer that is too long is refused', async (t) => {
  const { url } = await FakeEtcd.start(t, () => 'x'.repeat(17 * 1024 * 1024));
  const http = new EtcdHttp(undefined);
  t.teardown(() => http.close());
  // A busy machine may take longer for so much than the store waits.
  const asked = http.ask({ url, body: '{}', timeoutMs: 60_000 });
  await t.rejects(asked, /more than 16777216 bytes/);
});

t.test(
  'no answer is an error of its own kind, and the last node is followed by the first',
  async (t) => {
    const { fakes, store } = await storeOf(t, [gone, gone]);
    for (let count = 0; count < 3; count += 1) {
      await store.transact(NOTHING).then(
        () => t.fail('it has no answer'),
        (error) => t.ok(error instanceof NoAnswerError),
      );
    }
    t.same(
      fakes.map(({ asked }) => asked.length),
      [2, 1],
    );
  },
);

t.test('an etcd that asks for a password is refused', async (t) => {
  const body = { code: 3, message: 'etcdserver: user name is empty' };
  const { store } = await storeOf(t, [() => new Refusal(400, body)]);
  const message = /user name is empty.* authentication of users must be off/;
  await t.rejects(store.transact(NOTHING), { code: 'log_refused', message });
});

t.test('a compaction that another node has done is no failure', async (t) => {
  const { store } = await storeOf(t, [() => new Refusal(400, { code: 11, message: 'compacted' })]);
  await store.compact(5);
  await t.rejects(store.transact(NOTHING), NoAnswerError);
});
