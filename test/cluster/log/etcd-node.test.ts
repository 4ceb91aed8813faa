/** The client with one real node of etcd that has other flags: TLS, or a small quota. */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { checkReports, reportsOf } from '../../../cluster/log/etcd-checks.ts';
import { EtcdHttp } from '../../../cluster/log/etcd-http.ts';
import { EtcdStore } from '../../../cluster/log/etcd-store.ts';
import { LOG_START, type LogEvent, LogNode, NoAnswerError } from '../../../cluster/log/index.ts';
import { monotonicMs } from '../../../cluster/log/key-value-store.ts';
import { ClusterChild } from '../../../deploy/cluster/child.ts';
import { freePorts } from '../../../deploy/cluster/ports.ts';
import { BatchBuilder } from '../../../persistence/journal/batch.ts';
import { hasOpenssl, makeAuthority } from '../../certificates.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { OpenLog, withoutEtcd } from './etcd-fixture.ts';
import { part, terms } from './log-fixture.ts';

const skip = withoutEtcd();

/** Starts one node. It listens when it has chosen itself as the leader. */
async function startNode(scope: Scope, flags: readonly string[], scheme = 'http'): Promise<string> {
  const [port, peerPort] = await freePorts(2);
  const folder = temporaryFolder(scope);
  const url = `${scheme}://127.0.0.1:${port}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const child = new ClusterChild({
    name: 'etcd',
    words: [
      ...['etcd', '--name', 'one', '--data-dir', `${folder}/data`],
      ...['--listen-client-urls', url, '--advertise-client-urls', url],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `one=${peerUrl}`, '--logger', 'zap'],
      ...flags,
    ],
    logFile: `${folder}/etcd.log`,
  });
  child.start();
  scope.teardown(() => child.kill());
  while (!child.output.includes('serving client') && !child.output.includes('ready to serve')) {
    if (!child.isRunning) throw new Error(child.lastOutput);
    await sleep(20);
  }
  return url;
}

t.test(
  'certificates protect etcd',
  { skip: skip || (!hasOpenssl() && 'no openssl') },
  async (t) => {
    const folder = temporaryFolder(t);
    const sign = makeAuthority(folder, 'cluster');
    const server = sign();
    const serverFlags = ['--cert-file', server.certFile, '--key-file', server.keyFile];
    const clientFlags = ['--client-cert-auth', '--trusted-ca-file', server.caFile];
    const url = await startNode(t, [...serverFlags, ...clientFlags], 'https');
    const node = sign();
    const tls = ({ cert, key, ca }: typeof node) => ({ cert, key, ca });
    const core = await OpenLog.start(t, { urls: [`${url}/`], tls: tls(node) });
    await core.claim();
    core.log.append({ ...NO_ROWS, ...part(1) }, []);
    t.match(await core.next('committed'), { seq: 1 });

    const stranger = makeAuthority(folder, 'stranger')();
    const table = [
      ['no certificate', undefined, /don't accept each other's certificates/],
      [
        'certificates of another authority',
        tls(stranger),
        /don't accept each other's certificates/,
      ],
      ['a node of another authority', { ...tls(stranger), ca: node.ca }, /don't accept each other/],
      ['a key of another certificate', { ...tls(node), key: stranger.key }, /must belong together/],
      ['no PEM', { ...tls(node), cert: 'none' }, /--cluster-cert and --cluster-key must belong/],
    ] as const;
    for (const [name, wrong, message] of table) {
      const started = OpenLog.start(t, { urls: [url], ...(wrong && { tls: wrong }) });
      await t.rejects(started, { code: 'log_refused', message }, name);
    }
    const elsewhere = await startNode(
      t,
      [
        ...['--cert-file', sign('DNS:other').certFile],
        ...['--key-file', `${folder}/cluster-3.key`],
      ],
      'https',
    );
    const refused = OpenLog.start(t, { urls: [elsewhere], tls: tls(node) });
    await t.rejects(refused, { code: 'log_refused', message: /must name the host of its URL/ });
    // It ended every node of the exchange that turned to it.
    const http = new EtcdHttp(tls(node));
    t.teardown(() => http.close());
    const urls = [elsewhere, url];
    const clusterId = checkReports(await reportsOf(http, urls, { withMetrics: false }));
    const store = new EtcdStore({ http, urls, clusterId });
    const nothing = { compares: [], success: [], failure: [] };
    await t.rejects(store.transact(nothing), NoAnswerError, 'silent while another one answers');
    await store.transact(nothing);
    const plain = await reportsOf(http, [url.replace('https', 'http')], { withMetrics: false });
    t.throws(() => checkReports(plain), /socket hang up.* http or https/);
  },
);

const NO_ROWS = new BatchBuilder(1).build();

t.test('an append waits while etcd is full', { skip }, async (t) => {
  const quota = 16 * 1024 * 1024;
  const url = await startNode(t, ['--quota-backend-bytes', `${quota}`]);
  const http = new EtcdHttp(undefined);
  t.teardown(() => http.close());
  const reports = await reportsOf(http, [url], { withMetrics: true });
  const message = /keeps 16777216 bytes at the most/;
  t.throws(() => checkReports(reports), { code: 'log_refused', message });
  const { clusterId } = reports[0] as { clusterId: string };
  let isCommitted = false;
  const events: LogEvent['kind'][] = [];
  let report: (event: LogEvent) => void = () => undefined;
  const log = new LogNode({
    store: new EtcdStore({ http, urls: [url], clusterId }),
    clock: {
      now: monotonicMs,
      after: (delayMs, call) => {
        const timer = setTimeout(call, delayMs);
        return () => clearTimeout(timer);
      },
    },
    prefix: '/full/',
    node: 'core',
    feedAddress: '',
    onEvent: (event) => report(event),
  });
  t.teardown(() => log.close());
  await log.join(terms());
  await log.look(LOG_START);
  await log.claim(LOG_START);
  const next = () =>
    new Promise<LogEvent['kind']>((resolve) => {
      report = ({ kind }) => {
        events.push(kind);
        if (kind === 'committed' || kind === 'outage') resolve(kind);
      };
    });
  const record = Buffer.from(crypto.getRandomValues(new Uint8Array(49_000))).toString('base64');
  let count = 0;
  do {
    const ended = next();
    count += 1;
    log.append({ ...part(1, 0), content: [record, record, record] });
    isCommitted = (await ended) === 'committed';
  } while (isCommitted && count < 1_000);
  t.ok(count > 20 && count < 500, `${count} entries`);
  t.match(await reportsOf(http, [url], { withMetrics: false }), [{ errors: [/NOSPACE/] }]);
  const committed = next();
  await log.keepFor({ ...LOG_START, number: count - 1 }).then(
    () => t.fail('a full etcd takes no writes'),
    (error: Error) => t.match(error.message, /database space exceeded/),
  );
  const etcdctl = (...words: readonly string[]) =>
    spawnSync('etcdctl', ['--endpoints', url, ...words], {
      encoding: 'utf8',
      env: { ...process.env, ETCDCTL_API: '3' },
    });
  // What the message of a start says: make room, and then disarm the alarm.
  etcdctl('del', '/full/log/0000000000000002', '/full/log/0000000000000020');
  const { stdout } = etcdctl('get', '/full/head', '--write-out', 'json');
  etcdctl('compaction', String(JSON.parse(stdout).header.revision));
  etcdctl('defrag');
  t.match(etcdctl('alarm', 'disarm').stdout, /NOSPACE/);
  t.same(await committed, 'committed');
  t.match(events, /answering/);
});
