import t from 'tap';
import { checkReports, reportsOf } from '../../../cluster/log/etcd-checks.ts';
import { EtcdHttp } from '../../../cluster/log/etcd-http.ts';
import type { Scope } from '../../temporary-folder.ts';
import { type Answering, CLUSTER, FakeEtcd, healthy, Refusal } from './fake-etcd.ts';

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
  const table: readonly (readonly [readonly Answering[], string, RegExp])[] = [
    [[gone, gone], 'log_unavailable', /no node of etcd answers \(.*is no node of etcd.*"down"; /],
    [[() => '<html>'], 'log_unavailable', /is no node of etcd 3.4 or newer: "<html>"/],
    [[() => ({})], 'log_unavailable', /start etcd, or correct --etcd/],
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
