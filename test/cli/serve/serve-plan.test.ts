import t from 'tap';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import { SERVE_OPTIONS } from '../../../cli/options/serve-options.ts';
import { readCatalog } from '../../../cli/serve/serve-plan.ts';
import { DEFAULT_RULES } from '../../../http/admission/limit-table.ts';
import { oneOperator } from '../../../http/operators/operator-gate.ts';
import { DEFAULT_DOMAINS } from '../../../http/signing/domains.ts';
import { DEFAULT_WALLETS } from '../../../http/signing/wallets.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';
import { DOMAIN, faultsOf, plan, readText, WALLET } from './plan-from-line.ts';

t.test('without any option the exchange runs with the default settings', async (t) => {
  const { settings, devAccounts, json } = plan('');
  t.same(settings, { ...TEST_SETTINGS, crowd: 'live', devKeys: DEV_KEYS.slice(0, 10) });
  t.equal(devAccounts, 10);
  t.equal(json, false);
});

const SECRET = '--master-secret-file=master.hex';
const REST = `--etcd=http://localhost:1 ${SECRET}`;
const NODE = `--node=a ${REST}`;
const CORE = `--role=core ${NODE}`;
const COLLECTOR = '--trace-endpoint=http://a/v1/traces';

/** What each option changes in the plan. */
const EFFECTS: readonly (readonly [line: string, effect: object])[] = [
  ['--host=localhost', { settings: { host: 'localhost' } }],
  ['--port=1', { settings: { port: 1 } }],
  [
    '--tls-cert=server.pem --tls-key=server.key',
    { settings: { tls: { certFile: 'server.pem', keyFile: 'server.key' } } },
  ],
  ['--tls-key=server.key --tls-cert=server.pem', { settings: { tls: { keyFile: 'server.key' } } }],
  ['--trust-proxy=10.0.0.0/8,::1', { settings: { trustedProxies: ['10.0.0.0/8', '::1'] } }],
  ['--admin-host=0.0.0.0', { settings: { adminHost: '0.0.0.0' } }],
  ['--admin-port=0', { settings: { adminPort: 0 } }],
  ['--admin-token=0123456789abcdef', { settings: { adminToken: '0123456789abcdef' } }],
  ['--admin-token-file=token', { settings: { operators: { operators: [{ name: '' }] } } }],
  ['--operators=operators.json', { settings: { operators: { operators: [{ name: 'Ada' }] } } }],
  ['--data=other', { settings: { dataDir: 'other' } }],
  ['--backup-dir=copies', { settings: { backupDir: 'copies' } }],
  ['--memory', { settings: { temporary: true } }],
  ['--catalog=catalog.json', { settings: { catalogFile: 'catalog.json' } }],
  ['--replace-lost-catalog', { settings: { replacesLostCatalog: true } }],
  ['--sync-from=https://a.example', { settings: { syncFrom: 'https://a.example' } }],
  ['--sync-seconds=0', { settings: { syncMs: 0 } }],
  ['--trade-imported', { settings: { tradesImported: true } }],
  ['--funding=ledger', { settings: { funding: 'ledger' } }],
  ['--paper-amount=2.5', { settings: { paperMicros: 2_500_000 } }],
  ['--redemption=automatic', { settings: { redemption: 'automatic' } }],
  ['--new-owners=operator', { settings: { newOwners: 'operator' } }],
  ['--dev-accounts=3', { devAccounts: 3 }],
  ['--strict --admin-token=0123456789abcdef', { settings: { strict: true, funding: 'ledger' } }],
  [`--role=core ${NODE}`, { settings: { cluster: { role: 'core', node: 'a' } } }],
  [
    `--etcd=http://[::1]:1,http://localhost:2/ --role=core --node=a ${SECRET}`,
    { settings: { cluster: { etcdUrls: ['http://[::1]:1', 'http://localhost:2'] } } },
  ],
  [`--etcd-prefix=/a/b ${CORE}`, { settings: { cluster: { prefix: '/a/b' } } }],
  [`--node=b-2 --role=core ${REST}`, { settings: { cluster: { node: 'b-2' } } }],
  [`--feed-host=::1 ${CORE}`, { settings: { cluster: { feedHost: '::1' } } }],
  [`--feed-port=9 ${CORE}`, { settings: { cluster: { feedPort: 9 } } }],
  [`--feed-address=[::1]:7 ${CORE}`, { settings: { cluster: { feedAddress: '[::1]:7' } } }],
  [`--gateways=4 --role=gateway ${NODE}`, { settings: { cluster: { gateways: 4 } } }],
  [`--new-log --role=core ${NODE}`, { settings: { cluster: { beginsLog: true } } }],
  [
    `--master-secret=${'cd'.repeat(32)} --role=core --node=a --etcd=http://localhost:1`,
    { settings: { cluster: { masterSecret: Buffer.alloc(32, 0xcd) } } },
  ],
  [
    '--master-secret-file=master.hex --role=core --node=a --etcd=http://localhost:1',
    { settings: { cluster: { masterSecret: Buffer.alloc(32, 0xab) } } },
  ],
  [
    `--cluster-cert=server.pem --cluster-key=server.key --cluster-ca=two.pem ${CORE}`,
    { settings: { cluster: { tls: { certFile: 'server.pem' } } } },
  ],
  [
    `--cluster-key=server.key --cluster-cert=server.pem --cluster-ca=two.pem ${CORE}`,
    { settings: { cluster: { tls: { keyFile: 'server.key' } } } },
  ],
  [
    `--cluster-ca=two.pem --cluster-cert=server.pem --cluster-key=server.key ${CORE}`,
    { settings: { cluster: { tls: { caFile: 'two.pem' } } } },
  ],
  [
    `--cluster-plaintext --feed-host=10.0.0.1 ${CORE}`,
    { settings: { cluster: { allowsPlaintext: true, feedHost: '10.0.0.1' } } },
  ],
  ['--crowd=still', { settings: { crowd: 'still' } }],
  ['--crowd-seed=7', { settings: { crowdSeed: 7 } }],
  ['--crowd-pace=50', { settings: { crowdPace: 50 } }],
  ['--faucet=daily', { settings: { faucet: 'daily' } }],
  ['--faucet-amount=0.5', { settings: { faucetMicros: 500_000 } }],
  ['--explorer=operators', { settings: { explorer: 'operators' } }],
  ['--crowd-model=model.json', { settings: { crowdModel: { volatility: 0.5, orders: 28 } } }],
  ['--domains=domains.json', { settings: { domains: [DOMAIN] } }],
  ['--wallets=wallets.json', { settings: { wallets: [WALLET] } }],
  ['--chain-ids=31337', { settings: { chainIds: [31_337] } }],
  ['--auth-window-seconds=1', { settings: { authWindowMs: 1_000 } }],
  ['--heartbeat-window-seconds=5', { settings: { heartbeatWindowMs: 5_000 } }],
  ['--snapshot-seconds=60', { settings: { snapshotMs: 60_000 } }],
  ['--verifier-threads=2', { settings: { verifierThreads: 2 } }],
  ['--profile=profile.json', { settings: { profile: { name: 'mine', gtdLeadSeconds: 5 } } }],
  ['--rate-limits=off', { settings: { rateLimits: { isOn: false } } }],
  ['--trace-endpoint=http://a/v1/traces', { settings: { tracing: { share: 1, headers: {} } } }],
  [`--trace-share=0.25 ${COLLECTOR}`, { settings: { tracing: { share: 0.25 } } }],
  [`--trace-headers=a=1,b=2 ${COLLECTOR}`, { settings: { tracing: { headers: { a: '1' } } } }],
  [
    `--trace-headers-file=headers ${COLLECTOR}`,
    { settings: { tracing: { headers: { 'x-token': 'hush' } } } },
  ],
  ['--log-level=debug', { settings: { logLevel: 'debug' } }],
  ['--json', { json: true }],
  ['--stop-with-parent', { stopsWithParent: true }],
];
/** Options that take effect before the plan is made; other tests cover them. */
const WITHOUT_EFFECT = ['--config', '--force-public-dev-accounts', '--help', '--version'];

t.test('each option changes the plan', async (t) => {
  for (const [line, effect] of EFFECTS) {
    t.notHas(plan(''), effect, `${line} is not the default`);
    t.has(plan(line), effect, line);
  }
  const tested = EFFECTS.map(([line]) => line.split(/[= ]/)[0] ?? '');
  const flags = Object.values(SERVE_OPTIONS).map(({ flag }) => flag);
  t.same([...tested, ...WITHOUT_EFFECT].toSorted(), flags.toSorted());
});

t.test('options of tracing need a collector, and no error shows a header', async (t) => {
  for (const [line, ...faults] of [
    ['--trace-share=0.5', /^--trace-endpoint is missing; --trace-share needs it$/],
    ['--trace-endpoint=ftp://a', /^--trace-endpoint is "ftp:\/\/a"; it must be an HTTP or HTTPS/],
    ['--trace-endpoint=http://a:b@c', /without name, password and query/],
    [`${COLLECTOR} --trace-share=0`, /it must be a decimal from 0.000001 to 1 with at most 6/],
    [`${COLLECTOR} --trace-share=1.1`, /it must be a decimal from 0.000001 to 1 with at most 6/],
    [`${COLLECTOR} --trace-headers=hush`, /^--trace-headers is not valid; it must be 1 to 16/],
    [
      `${COLLECTOR} --trace-headers=a=hush --trace-headers-file=headers`,
      /^--trace-headers and --trace-headers-file: give one of them$/,
    ],
    [
      `${COLLECTOR} --trace-headers-file=bad-headers`,
      /^--trace-headers-file is "bad-headers", which is refused: header 1 has no valid name/,
    ],
    [`${COLLECTOR} --trace-headers-file=none`, /^--trace-headers-file is "none", which can't be r/],
  ] as const) {
    t.match(faultsOf(line), faults, line);
    t.notMatch(faultsOf(line).join(), 'hush');
  }
  t.strictSame(plan(`${COLLECTOR} --trace-headers-file=headers`).rereadTraceHeaders?.(), {
    'x-token': 'hush',
  });
});

t.test('a flag or a variable names the settings file, and both win over it', async (t) => {
  t.has(plan('--config=settings.json'), { settings: { port: 9000, strict: true } });
  t.has(plan('', { CONFIG_FILE: 'settings.json' }), { settings: { port: 9000 } });
  t.has(plan('--config=settings.json --port=1'), { settings: { port: 1 } });
});

t.test('strict mode refuses play money, dev accounts and a generated secret', async (t) => {
  const token = '--admin-token=0123456789abcdef';
  const { settings, devAccounts } = plan(`--strict ${token}`);
  t.equal(settings.funding, 'ledger');
  t.equal(devAccounts, 0);
  const wrong: readonly (readonly [line: string, ...faults: RegExp[]])[] = [
    [
      '--strict --funding=paper --dev-accounts=1 --memory',
      /--funding is "paper"; with --strict it must be "ledger"/,
      /--dev-accounts is 1; with --strict it must be 0/,
      /token of the operator is missing; --strict needs one that you give: --admin-token-file FILE/,
      /--memory keeps nothing; --strict needs a data folder/,
    ],
    [`--strict --dev-accounts=1 --memory ${token}`, /--dev-accounts is 1/, /--memory/],
    [`--strict --memory ${token}`, /--memory/],
    [`--strict ${token} --dev-accounts=0 --funding=ledger`],
  ];
  for (const [line, ...faults] of wrong) t.match(faultsOf(line), faults, line);
  t.equal(faultsOf(`--strict ${token}`).length, 0);
});

t.test(
  'flags of the sandbox are refused without play money, and without them it is off',
  async (t) => {
    const strict = '--strict --admin-token=0123456789abcdef';
    const ledger = '--funding=ledger';
    t.equal(plan(strict).settings.crowd, 'off');
    t.equal(plan(ledger).settings.crowd, 'off');
    t.equal(plan(`${ledger} --crowd=off`).settings.crowd, 'off', 'it asks for nothing');
    const rows = [
      [`${ledger} --crowd=live`, '--crowd is "live"; it is for play money only, and --funding is'],
      [
        `${strict} --crowd=still`,
        '--crowd is "still"; it is for play money only, and --strict has',
      ],
      [`${ledger} --crowd-seed=2`, '--crowd-seed is "2"; it is for play money only'],
      [`${strict} --crowd-pace=9`, '--crowd-pace is "9"; it is for play money only'],
      [`${ledger} --crowd-model=model.json`, '--crowd-model is "model.json"; it is for play money'],
    ] as const;
    for (const [line, fault] of rows) {
      const faults = faultsOf(line);
      t.equal(faults.length, 1, line);
      t.ok(faults[0]?.startsWith(fault), faults.join());
    }
  },
);

t.test("a fault of the crowd's flags and model names flag or place, limit and value", async (t) => {
  const rows = [
    ['--crowd=on', '--crowd is "on"; it must be one of off, still, live'],
    ['--crowd-seed=-1', '--crowd-seed is "-1"; it must be a whole number from 0 to 4294967295'],
    ['--crowd-pace=0', '--crowd-pace is "0"; it must be a whole number from 1 to 50'],
    ['--crowd-pace=51', '--crowd-pace is "51"; it must be a whole number from 1 to 50'],
    ['--crowd-model=no.json', '--crowd-model is "no.json", which can\'t be read: ENOENT'],
    [
      '--crowd-model=fractional-model.json',
      'fractional-model.json: orders is 1.5; it must be a whole number from 1 to 50',
    ],
    [
      '--crowd-model=wide-model.json',
      'wide-model.json: newsPerDay is 86401; it must be a number from 0 to 86400',
    ],
    [
      '--crowd-model=text-model.json',
      'text-model.json: volatility is "1"; it must be a number from 0 to 1000',
    ],
    [
      '--crowd-model=misspelt-model.json',
      'misspelt-model.json: the file has an unknown key "volatilty"; the nearest is "volatility"',
    ],
    ['--profile=late-profile.json', 'late-profile.json: gtdLeadSeconds is -1; it must be 0..86400'],
    ['--profile=kusst', '--profile is "kusst"'],
    ['--crowd-model=list-model.json', 'list-model.json: the file is "a list of 0"; it must be an'],
  ] as const;
  for (const [line, fault] of rows) {
    const faults = faultsOf(line);
    t.equal(faults.length, 1, line);
    t.ok(faults[0]?.startsWith(fault), faults.join());
  }
});

t.test('limits are on, off, or from a file; strict mode exempts no client', async (t) => {
  const strict = '--strict --admin-token=0123456789abcdef';
  const rulesOf = (line: string) => plan(line).settings.rateLimits;
  t.same(rulesOf(''), DEFAULT_RULES);
  t.same(rulesOf('--rate-limits=on'), DEFAULT_RULES);
  t.same(rulesOf('--rate-limits=off'), { ...DEFAULT_RULES, isOn: false });
  t.same(rulesOf(strict), { ...DEFAULT_RULES, countsLoopback: true });
  const { isOn, countsLoopback, rows } = rulesOf('--rate-limits=limits.json');
  t.match({ isOn, countsLoopback }, { isOn: true, countsLoopback: false });
  t.equal(rows.find(({ name }) => name === 'book')?.capacity, 7);
  t.equal(rows.length, DEFAULT_RULES.rows.length);
  for (const line of ['--rate-limits=own-limits.json', `${strict} --rate-limits=limits.json`]) {
    t.equal(rulesOf(line).countsLoopback, true, line);
  }
  t.match(faultsOf(`${strict} --rate-limits=off`), [/--rate-limits is "off"; --strict needs rate/]);
  const exempt = `${strict} --rate-limits=exempt.json`;
  t.match(faultsOf(exempt), [/exempt.json: loopback is false; with --strict it must be true/]);
  t.match(faultsOf('--rate-limits=bad-limits.json'), [
    /bad-limits.json: limits has an unknown key "bok"/,
  ]);
  t.match(faultsOf('--rate-limits=no.json'), [/--rate-limits is "no.json", which can't be read/]);
});

t.test(
  'the operators are given in one way, and read again unless a flag has the token',
  async (t) => {
    const strict = plan('--strict --admin-token-file=token');
    t.strictSame(strict.rereadOperators?.(), strict.settings.operators);
    t.strictSame(strict.settings.operators, oneOperator('a-token-in-a-file'));
    t.same(faultsOf('--strict --operators=operators.json'), []);
    t.equal(plan('').rereadOperators?.(), undefined, 'the token of the data folder');
    t.equal(plan('--admin-token=0123456789abcdef').rereadOperators, undefined);
    const rows = [
      ['--admin-token-file=token --operators=operators.json', /--operators: give one of them/],
      [
        '--admin-token-file=short-token',
        /"short-token", which has 4 characters; it must have 16 to/,
      ],
      ['--admin-token-file=no', /--admin-token-file is "no", which can't be read/],
      ['--operators=bad-operators.json', /bad-operators.json: operators is "a list of 0"/],
    ] as const;
    for (const [line, fault] of rows) {
      const faults = faultsOf(line);
      t.match(faults, [fault], line);
      t.notMatch(faults.join(), /hush/, 'it repeats no token');
    }
  },
);

t.test('each gateway grants its part of the limits, also after a reload', async (t) => {
  const line = `--role=gateway ${NODE} --gateways=4`;
  const capacity = (rules: { readonly rows: typeof DEFAULT_RULES.rows }, row: string) =>
    rules.rows.find(({ name }) => name === row)?.capacity;
  const whole = capacity(DEFAULT_RULES, 'order-book') ?? 0;
  t.equal(capacity(plan(line).settings.rateLimits, 'order-book'), Math.floor(whole / 4));
  const { settings, rereadLimits } = plan(`${line} --rate-limits=limits.json`);
  t.equal(capacity(settings.rateLimits, 'book'), 1, '7 of the file');
  t.same(rereadLimits?.(), settings.rateLimits);
  const many = plan(line.replace('=4', '=1000')).settings.rateLimits;
  t.equal(Math.min(...many.rows.map((row) => row.capacity)), 1);
});

t.test('limits can be reloaded only from a file', async (t) => {
  for (const line of ['', '--rate-limits=off']) t.equal(plan(line).rereadLimits, undefined, line);
  const { rereadLimits, settings } = plan('--rate-limits=limits.json');
  t.same(rereadLimits?.(), settings.rateLimits);
});

t.test('dev accounts are refused where other machines can reach them, unless forced', async (t) => {
  const loopback = ['127.0.0.1', '127.8.9.1', 'localhost', '::1'];
  for (const host of loopback) t.same(faultsOf(`--host=${host}`), [], host);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.example.org', 'localhost.example.org']) {
    const faults = faultsOf(`--host=${host}`);
    t.match(faults, [/dev accounts are publicly known: give --dev-accounts 0, or --force/], host);
    t.ok(faults[0]?.includes(`--host is "${host}"`), host);
    t.same(faultsOf(`--host=${host} --dev-accounts=0`), [], host);
    t.same(faultsOf(`--host=${host} --force-public-dev-accounts`), [], host);
    t.same(faultsOf(`--host=${host} --strict --admin-token=0123456789abcdef`), [], host);
  }
});

t.test('options that contradict each other are refused', async (t) => {
  t.match(faultsOf('--memory --data=other'), [/--memory keeps nothing, .* "other": give one/]);
  t.match(faultsOf('--port=7 --admin-port=7'), [/--port and --admin-port are both 7/]);
  t.same(faultsOf('--port=0 --admin-port=0'), []);
  t.same(faultsOf('--port=7 --admin-port=7 --admin-host=::1'), []);
});

t.test('the fault of a missing, broken or wrong file names its flag or the file', async (t) => {
  t.match(faultsOf('--config=no.json'), [/--config is "no.json", which can't be read: ENOENT/]);
  t.match(faultsOf('--config=broken.json'), [/broken.json is not JSON: line 1, column 2/]);
  t.match(faultsOf('--domains=no.json'), [/--domains is "no.json", which can't be read: ENOENT/]);
  t.match(faultsOf('--domains=broken.json'), [/broken.json is not JSON/]);
  t.match(faultsOf('--domains=bad-domains.json'), [/bad-domains.json: domains\[0\].chainId is 0/]);
  t.match(faultsOf('--wallets=no.json'), [/--wallets is "no.json", which can't be read: ENOENT/]);
  t.match(faultsOf('--wallets=bad-wallets.json'), [/bad-wallets.json: wallets\[0\].salt is/]);
  const { settings } = plan('--catalog=no.json');
  t.throws(() => readCatalog(settings, readText), /--catalog is "no.json", which can't be read/);
  t.same(readCatalog(plan('--catalog=catalog.json').settings, readText), []);
  t.equal(readCatalog(plan('').settings, readText), undefined);
  t.equal(plan('').settings.domains, DEFAULT_DOMAINS);
  t.equal(plan('').settings.wallets, DEFAULT_WALLETS);
});

t.test('TLS needs a certificate and its own key', async (t) => {
  const rows: readonly (readonly [cert: string, key: string, fault: RegExp])[] = [
    ['no.pem', 'no.key', /^--tls-cert is "no.pem", which can't be read: ENOENT/],
    ['server.pem', 'no.key', /^--tls-key is "no.key", which can't be read: ENOENT/],
    ['broken.json', 'server.key', /^--tls-cert is "broken.json", which does not begin with a cert/],
    ['server.key', 'server.key', /^--tls-cert is "server.key", which does not begin with a cert/],
    ['server.pem', 'broken.json', /^--tls-key is "broken.json", which has no private key in PEM/],
    ['server.pem', 'server.pem', /^--tls-key is "server.pem", which has no private key in PEM/],
    ['server.pem', 'locked.key', /^--tls-key is "locked.key", which .* without a passphrase/],
    ['server.pem', 'other.key', /^--tls-key is "other.key", which does not fit the first certifi/],
  ];
  for (const [cert, key, fault] of rows) {
    const faults = faultsOf(`--tls-cert=${cert} --tls-key=${key}`);
    t.match(faults, [fault], `${cert} ${key}`);
    t.equal(faults.length, 1);
  }
  t.same(faultsOf('--tls-cert=server.pem'), ['--tls-key is missing; --tls-cert needs it']);
  t.same(faultsOf('--tls-key=server.key'), ['--tls-cert is missing; --tls-key needs it']);
  t.same(faultsOf('--tls-cert=server.pem --tls-key=server.key'), []);
});

t.test('the fault of a proxy that is neither an address nor a range names it', async (t) => {
  const faults = faultsOf('--trust-proxy=10.0.0.1,proxy.example,10.0.0.0/33');
  t.match(faults, [
    /--trust-proxy names "proxy.example", which is neither an address/,
    /"10.0.0.0\/33"/,
  ]);
  t.equal(faults.length, 2);
  t.match(faultsOf('--trust-proxy=10.0.0.1,'), [
    /--trust-proxy is "10.0.0.1,"; it must be 1 to 64/,
  ]);
});
