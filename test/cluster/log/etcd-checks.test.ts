import t from 'tap';
import { checkReports, reportsOf } from '../../../cluster/log/etcd-checks.ts';
import { EtcdHttp } from '../../../cluster/log/etcd-http.ts';
import { type LogEvent, startEtcdLog } from '../../../cluster/log/index.ts';
import type { Scope } from '../../temporary-folder.ts';
import { type Answering, CLUSTER, FakeEtcd, healthy, Refusal } from './fake-etcd.ts';
import { terms } from './log-fixture.ts';

/** Checks nodes that answer so. */
async function check(t: Scope, answers: readonly Answering[]): Promise<string> {
  const fakes = await Promise.all(answers.map((answer) => FakeEtcd.start(t, answer)));
  const http = new EtcdHttp(undefined);
  t.teardown(() => http.close());
  const urls = fakes.map(({ url }) => url);
  return checkReports(await reportsOf(http, urls, { withMetrics: true }));
}

const gone: Answering = () => new Refusal(503, 'down');
const other = { header: { cluster_id: '18', member_id: '1' } };

t.test('etcd is used if nothing speaks against it', async (t) => {
  const table: readonly (readonly [string, readonly Answering[]])[] = [
    ['one node', [healthy()]],
    ['three nodes', [healthy(), healthy(), healthy()]],
    ['one of three is down', [healthy(), gone, healthy()]],
    ['/metrics is closed', [healthy({ metrics: '404 page not found' })]],
    ['a newer version', [healthy({ status: { version: '3.6.1', dbSize: undefined } })]],
    ['errors that are no alarm', [healthy({ status: { errors: ['etcdserver: no leader'] } })]],
  ];
  for (const [name, answers] of table) t.same(await check(t, answers), CLUSTER, name);
});

t.test('etcd is refused if it could lose or refuse the log', async (t) => {
  const nospace = { errors: ['memberID:1 alarm:NOSPACE '] };
  const synced = 'etcd_disk_wal_fsync_duration_seconds_count 8\n';
  const full = { dbSize: '2000000000' };
  const table: readonly (readonly [readonly Answering[], string | undefined, RegExp])[] = [
    [[gone, gone], undefined, /no node of etcd answers \(.*is no node of etcd.*"down"; /],
    [[() => '<html>'], undefined, /is no node of etcd 3.4 or newer: "<html>"/],
    [[() => ({})], undefined, /start etcd, or correct --etcd/],
    [[healthy(), healthy({ status: other })], 'log_refused', /are nodes of two etcd clusters/],
    [[healthy({ status: { version: '3.3.27' } })], 'log_refused', /version 3.3.27: install 3.4/],
    [[healthy(), healthy({ status: nospace })], 'log_refused', /"memberID:1 alarm:NOSPACE". For/],
    [
      [healthy({ metrics: `${synced}etcd_server_quota_backend_bytes 1e+09\n` })],
      'log_refused',
      /keeps 1000000000 bytes at the most: start it with --quota-backend-bytes 2147483648 or more/,
    ],
    [[healthy({ status: full })], 'log_refused', /nearly full: it has 2000000000 bytes of 21474/],
    [
      [healthy({ metrics: 'etcd_disk_wal_fsync_duration_seconds_count 0\n' })],
      'log_refused',
      /never synced its log to the disk: start it without --unsafe-no-fsync/,
    ],
  ];
  for (const [answers, code, message] of table) {
    await t.rejects(check(t, answers), { code, message }, `${message}`);
  }
});

// With the first node of --etcd down, no node of the exchange could start.
t.test('a start asks nodes that answer, and waits for one', async (t) => {
  const answers = healthy();
  const noLeader = new Refusal(503, { code: 14, message: 'no leader' });
  const isTransaction = (path: string): boolean => path === '/v3/kv/txn';
  /** Answers as a healthy node from the second time on that `isFirst` holds. */
  const later = (isFirst: (path: string) => boolean): Answering => {
    let isBack = false;
    return (path, body) => {
      const isAway = !isBack && isFirst(path);
      isBack ||= isAway;
      return isAway ? noLeader : answers(path, body);
    };
  };
  const noMajority: Answering = (path, body) =>
    isTransaction(path) ? noLeader : answers(path, body);
  const table: readonly (readonly [string, readonly Answering[], number])[] = [
    ['the first one is down', [gone, answers], 0],
    ['the first one has no leader', [noMajority, answers], 1],
    ['all have no leader at first', [later(isTransaction), later(isTransaction)], 1],
    ['none answers at first', [later(() => true)], 1],
  ];
  for (const [name, all, outages] of table) {
    const fakes = await Promise.all(all.map((answer) => FakeEtcd.start(t, answer)));
    const events: LogEvent[] = [];
    const started = startEtcdLog({
      ...{ urls: fakes.map(({ url }) => url), prefix: '/test', node: 'node', feedAddress: '' },
      terms: terms({ mayCreate: false }),
      onEvent: (event) => void events.push(event),
    });
    // That it has no log is what a healthy node says.
    await t.rejects(started, { code: 'log_refused', message: /start the core first/ }, name);
    t.same(
      events.map(({ kind }) => kind),
      Array(outages).fill('outage'),
      name,
    );
  }
});
