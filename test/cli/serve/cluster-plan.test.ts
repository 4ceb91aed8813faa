import t from 'tap';
import { faultsOf, plan } from './plan-from-line.ts';

const REST = '--node=a --etcd=http://127.0.0.1:2379 --master-secret-file=master.hex';
const ROLES = ['core', 'gateway', 'standby'] as const;
const PAIR = '--cluster-cert=server.pem --cluster-key=server.key';
const TLS = `${PAIR} --cluster-ca=server.pem`;

t.test('a node has the defaults of a cluster, no crowd and no dev accounts', async (t) => {
  for (const role of ROLES) {
    const { settings, devAccounts } = plan(`--role=${role} ${REST}`);
    t.strictSame(settings.cluster, {
      role,
      etcdUrls: ['http://127.0.0.1:2379'],
      prefix: '/outcome-exchange',
      node: 'a',
      feedHost: '127.0.0.1',
      feedPort: 8082,
      gateways: 1,
      beginsLog: false,
      masterSecret: Buffer.alloc(32, 0xab),
      allowsPlaintext: false,
    });
    t.same([settings.crowd, devAccounts, settings.devKeys], ['off', 0, []]);
  }
  t.equal(plan('').settings.cluster, undefined);
  t.equal(plan('--role=all').settings.cluster, undefined);
  t.equal(plan(`--role=gateway --dev-accounts=3 ${REST}`).devAccounts, 3);
});

/** Each row has one fault. */
const FAULTS: readonly (readonly [line: string, fault: string])[] = [
  ['--role=leader', '--role is "leader"; it must be one of all, core, gateway, standby'],
  ['--node=a', '--node is given, and --role is "all"; it is for the nodes of a cluster'],
  ['--gateways=2', '--gateways is given, and --role is "all"; it is for the nodes of a cluster'],
  [
    '--role=core --node=a --master-secret-file=master.hex',
    '--etcd is missing; --role core needs the URLs of the etcd nodes that keep the log',
  ],
  [
    '--role=gateway --etcd=http://127.0.0.1:1 --master-secret-file=master.hex',
    '--node is missing; --role gateway needs a name that no other node of the cluster has',
  ],
  [
    '--role=standby --etcd=http://127.0.0.1:1 --node=a',
    '--master-secret-file is missing; --role standby needs the secret that all nodes share',
  ],
  [
    `--role=core ${REST} --master-secret=${'ab'.repeat(32)}`,
    '--master-secret and --master-secret-file: give one of them',
  ],
  [
    '--role=core --etcd=http://127.0.0.1:1 --node=a --master-secret=hush',
    '--master-secret is not valid; it must be 64 hex digits',
  ],
  [
    '--role=core --etcd=http://127.0.0.1:1 --node=a --master-secret-file=short-token',
    '--master-secret-file is "short-token", which has 4 characters that are no secret; it must h',
  ],
  [
    '--role=core --etcd=http://127.0.0.1:1 --node=a --master-secret-file=none',
    '--master-secret-file is "none", which can\'t be read: ENOENT',
  ],
  [
    '--role=core --etcd=127.0.0.1:2379 --node=a --master-secret-file=master.hex',
    '--etcd names "127.0.0.1:2379"; it must be an HTTP or HTTPS URL without name, password, path',
  ],
  [
    '--role=core --etcd=http://127.0.0.1:1/v3 --node=a --master-secret-file=master.hex',
    '--etcd names "http://127.0.0.1:1/v3"; it must be an HTTP or HTTPS URL without name, passwor',
  ],
  [
    '--role=core --etcd=http://[::1]:1,http://[::1]:1 --node=a --master-secret-file=master.hex',
    '--etcd names "http://[::1]:1" twice',
  ],
  [`--role=core ${REST} --etcd-prefix=/a/`, '--etcd-prefix is "/a/"; it must be a path such as'],
  [`--role=core ${REST} --etcd-prefix=/${'a'.repeat(128)}`, '--etcd-prefix is "/aaa'],
  [
    `--role=standby ${REST} --new-log`,
    '--new-log is given, and --role is "standby"; only the core',
  ],
  [`--role=core ${REST} --feed-address=core`, '--feed-address is "core"; it must be a host and'],
  [`--role=core ${REST} --feed-address=a:65536`, '--feed-address is "a:65536"; it must be a h'],
  [
    `--role=core ${REST} --feed-host=0.0.0.0 ${TLS}`,
    '--feed-host is "0.0.0.0", to which no other node can connect: give --feed-address HOST:PORT',
  ],
  ...ROLES.flatMap((role): [string, string][] => [
    [
      `--role=${role} ${REST} --memory`,
      `--memory is given, and --role is "${role}"; a node of a cluster needs a data folder that`,
    ],
    [
      `--role=${role} ${REST} --crowd=live`,
      `--crowd is "live"; it is for play money only, and a cluster has no sandbox (--role is`,
    ],
    [
      `--role=${role} ${REST} --replace-lost-catalog`,
      `--replace-lost-catalog is given, and --role is "${role}"; a node of a cluster that lost`,
    ],
  ]),
  ...['--host=127.0.0.2', '--port=1', '--trust-proxy=::1'].map((option): [string, string] => [
    `--role=standby ${REST} ${option}`,
    `${option.replace(/=.*/, '')} is given, and --role is "standby"; it is for the public API`,
  ]),
  [
    `--role=core ${REST} --dev-accounts=1`,
    '--dev-accounts is given, and --role is "core"; gateways open the dev accounts',
  ],
  ...['--feed-host=::1', '--feed-port=1', '--feed-address=a:1'].map((option): [string, string] => [
    `--role=gateway ${REST} ${option}`,
    `${option.replace(/=.*/, '')} is given, and --role is "gateway"; the core has the feed`,
  ]),
  ...['--catalog=catalog.json', '--sync-from=http://a', '--trade-imported'].map(
    (option): [string, string] => [
      `--role=gateway ${REST} ${option}`,
      `${option.replace(/=.*/, '')} is given, and --role is "gateway"; the core fills the catalog`,
    ],
  ),
  [
    `--role=gateway ${REST} --heartbeat-window-seconds=5`,
    '--heartbeat-window-seconds is given, and --role is "gateway"; the core counts heartbeats',
  ],
  [
    '--role=gateway --etcd=http://10.0.0.1:1 --node=a --master-secret-file=master.hex',
    '--etcd names "http://10.0.0.1:1", which is reached without encryption: give an https URL, or',
  ],
  [
    '--role=gateway --etcd=https://10.0.0.1:1 --node=a --master-secret-file=master.hex',
    '--etcd names "https://10.0.0.1:1", which needs --cluster-cert and --cluster-key and --clust',
  ],
  [
    `--role=core ${REST} --feed-host=10.0.0.1`,
    '--feed-host is "10.0.0.1", which other machines may reach, without encryption: give --clust',
  ],
  [
    `--role=core ${REST} --feed-address=core.example:1`,
    '--feed-address is "core.example:1", which other machines may reach, without encryption: giv',
  ],
  [
    `--role=core ${REST} --cluster-cert=server.pem`,
    '--cluster-key and --cluster-ca is missing; --cluster-cert needs it',
  ],
  [
    `--role=core ${REST} --cluster-cert=server.pem --cluster-key=other.key --cluster-ca=server.pem`,
    '--cluster-key is "other.key", which does not fit the first certificate in --cluster-cert',
  ],
  [
    `--role=core ${REST} ${PAIR} --cluster-ca=token`,
    '--cluster-ca is "token", which has no certificates in PEM form',
  ],
  [
    `--role=core ${REST} ${PAIR} --cluster-ca=renewed.pem`,
    '--cluster-ca is "renewed.pem", which has no certificate that signs the one in --cluster-cert',
  ],
];

t.test('what a role needs, or has no use for, is said in one sentence', async (t) => {
  for (const [line, fault] of FAULTS) {
    const faults = faultsOf(line);
    t.equal(faults.length, 1, `${line}: ${faults.join(' | ')}`);
    t.ok(faults[0]?.startsWith(fault), `${line}: ${faults.join()}`);
    t.notMatch(faults.join(), 'hush', 'it repeats no secret');
  }
});

t.test('what leaves the machine is encrypted, or said to be on a private network', async (t) => {
  const secret = '--master-secret-file=master.hex --node=a';
  for (const line of [
    `--role=core ${REST} --cluster-plaintext --feed-host=0.0.0.0 --feed-address=core:1`,
    `--role=core ${secret} --etcd=https://10.0.0.1:1 --feed-host=10.0.0.2 ${TLS}`,
    `--role=gateway ${secret} --etcd=http://10.0.0.1:1 --cluster-plaintext`,
  ]) {
    t.same(faultsOf(line), [], line);
  }
});

t.test('variables of an image may be there for other roles, but not without a role', async (t) => {
  t.same(faultsOf(`--role=core ${REST}`, { HOST: '0.0.0.0', PORT: '1' }), []);
  t.same(faultsOf(`--role=core ${REST} --dev-accounts=0`), []);
  t.match(faultsOf('', { ETCD: 'http://127.0.0.1:1' }), [/^--etcd is given, and --role is "all"/]);
});

t.test('the port of the public API counts only where there is one', async (t) => {
  t.same(faultsOf(`--role=core ${REST} --admin-port=8080`), []);
  t.match(faultsOf(`--role=gateway ${REST} --admin-port=8080`), [
    /--port and --admin-port are bot/,
  ]);
});
