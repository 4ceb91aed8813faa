import t from 'tap';
import { ORDER_OPTIONS } from '../../../cli/options/order-options.ts';
import { SERVE_OPTIONS } from '../../../cli/options/serve-options.ts';
import { UsageError } from '../../../cli/parser/parse-arguments.ts';
import {
  parseJsonFile,
  parseSettingsFile,
  resolveOptions,
  type Sources,
} from '../../../cli/parser/resolve-options.ts';

function sources(
  flags: Record<string, string>,
  environment: Record<string, string> = {},
  record?: Record<string, unknown>,
): Sources {
  return {
    flags: new Map(Object.entries(flags)),
    environment,
    file: record === undefined ? undefined : { path: 'exchange.json', record },
  };
}

function faultsOf(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.faults;
    throw error;
  }
}

t.test(
  'a flag wins over a variable, a variable over the file, the file over the default',
  async (t) => {
    const given = [{ '--port': '1' }, { PORT: '2' }, { port: 3 }] as const;
    const all = resolveOptions(SERVE_OPTIONS, sources(...given));
    t.same([all.values.port, all.origins.port], [1, 'flag --port']);
    const noFlag = resolveOptions(SERVE_OPTIONS, sources({}, given[1], given[2]));
    t.same([noFlag.values.port, noFlag.origins.port], [2, 'variable PORT']);
    const fileOnly = resolveOptions(SERVE_OPTIONS, sources({}, {}, given[2]));
    t.same([fileOnly.values.port, fileOnly.origins.port], [3, 'key port of exchange.json']);
    const none = resolveOptions(SERVE_OPTIONS, sources({}));
    t.same([none.values.port, none.origins.port], [8080, 'default']);
    const empty = resolveOptions(SERVE_OPTIONS, sources({}, { PORT: '' }, given[2]));
    t.equal(empty.values.port, 3, 'an empty variable is ignored');
  },
);

/** Flag, text, and the value that is read; undefined for a text that is refused. */
const TEXTS: readonly (readonly [flag: string, text: string, value: unknown])[] = [
  ['--port', '0', 0],
  ['--port', '65535', 65_535],
  ['--port', '65536', undefined],
  ['--port', '-1', undefined],
  ['--port', '1.5', undefined],
  ['--port', '080', undefined],
  ['--port', '1e3', undefined],
  ['--port', '', undefined],
  ['--host', '::1', '::1'],
  ['--host', 'a\nb', undefined],
  ['--strict', 'true', true],
  ['--strict', '0', false],
  ['--strict', 'yes', undefined],
  ['--funding', 'LEDGER', 'ledger'],
  ['--funding', 'gold', undefined],
  ['--paper-amount', '0.000001', 1],
  ['--paper-amount', '1000000000', 1_000_000_000_000_000],
  ['--paper-amount', '1000000000.000001', undefined],
  ['--paper-amount', '0.0000001', undefined],
  ['--paper-amount', '1,5', undefined],
  ['--paper-amount', '.5', undefined],
  ['--dev-accounts', '20', 20],
  ['--dev-accounts', '21', undefined],
  ['--chain-ids', '137, 31337', [137, 31_337]],
  ['--chain-ids', '137,137', undefined],
  ['--chain-ids', '0', undefined],
  ['--chain-ids', '', undefined],
  ['--log-level', 'Debug', 'debug'],
  ['--log-level', 'loud', undefined],
  ['--verifier-threads', '0', undefined],
  ['--admin-token', '0123456789abcdef', '0123456789abcdef'],
  ['--admin-token', 'short', undefined],
  ['--admin-token', 'with spaces in it', undefined],
];

t.test('each kind reads the texts it describes and refuses all others', async (t) => {
  for (const [flag, text, value] of TEXTS) {
    const name = Object.entries(SERVE_OPTIONS).find(([, row]) => row.flag === flag)?.[0] ?? '';
    const resolve = () => resolveOptions(SERVE_OPTIONS, sources({ [flag]: text }));
    if (value !== undefined) {
      const values: Readonly<Record<string, unknown>> = resolve().values;
      t.same(values[name], value, `${flag} ${text}`);
      continue;
    }
    const faults = faultsOf(resolve);
    t.equal(faults.length, 1, `${flag} "${text}" is refused`);
    t.match(faults[0], `${flag} is `, 'the fault names the flag');
    t.match(faults[0], '; it must be ', 'and what it must be');
  }
});

t.test(
  'a fault names the value, its limit and its origin, and all faults come at once',
  async (t) => {
    const faults = faultsOf(() =>
      resolveOptions(
        SERVE_OPTIONS,
        sources(
          { '--port': 'x' },
          { ADMIN_PORT: '70000' },
          { funding: ['gold', 'paper'], dataFolder: 1 },
        ),
      ),
    );
    t.same(faults, [
      'exchange.json has an unknown key "dataFolder"; the nearest is "dataDir"',
      '--port is "x"; it must be a whole number from 0 to 65535',
      '--admin-port is "70000" (variable ADMIN_PORT); it must be a whole number from 0 to 65535',
      '--funding is "gold,paper" (key funding of exchange.json); it must be one of paper, ledger',
    ]);
  },
);

t.test('the fault of a secret does not repeat it', async (t) => {
  const token = 'not a good token';
  const key = `0x${'0'.repeat(64)}`;
  for (const faults of [
    faultsOf(() => resolveOptions(SERVE_OPTIONS, sources({}, { ADMIN_TOKEN: token }))),
    faultsOf(() => resolveOptions(SERVE_OPTIONS, sources({}, {}, { adminToken: { token } }))),
    faultsOf(() => resolveOptions(ORDER_OPTIONS, sources({}, { PRIVATE_KEY: key }))),
  ]) {
    t.equal(faults.length, 1);
    t.notMatch(faults[0], token);
    t.notMatch(faults[0], key);
  }
});

t.test('a settings file has plain values and lists', async (t) => {
  const { values } = resolveOptions(
    SERVE_OPTIONS,
    sources({}, {}, { strict: true, chainIds: [1, 10], paperAmount: 2.5, host: 'localhost' }),
  );
  t.same(values.chainIds, [1, 10]);
  t.equal(values.strict, true);
  t.equal(values.paperAmount, 2_500_000);
  t.equal(values.host, 'localhost');
  for (const value of [null, {}, [{}], [[1]]]) {
    const faults = faultsOf(() => resolveOptions(SERVE_OPTIONS, sources({}, {}, { port: value })));
    t.equal(faults.length, 1, JSON.stringify(value));
  }
  const memory = faultsOf(() => resolveOptions(SERVE_OPTIONS, sources({}, {}, { memory: true })));
  t.match(memory, [/has an unknown key "memory"/], 'an option that only a flag can set has no key');
});

t.test(
  'the fault of a file that is not JSON gives the place without repeating the text',
  async (t) => {
    const faults = faultsOf(() =>
      parseJsonFile('a.json', '{\n  "adminToken": "hunter2hunter2",\n}'),
    );
    t.match(faults, [/^a.json is not JSON: line 3, column 1: expected a key/]);
    t.notMatch(faults[0], 'hunter2');
    for (const text of ['[]', 'null', '1', '"a"']) {
      t.match(
        faultsOf(() => parseSettingsFile('a.json', text)),
        [/must hold one JSON object/],
        text,
      );
    }
    t.same(parseSettingsFile('a.json', '{"port":1}'), { path: 'a.json', record: { port: 1 } });
  },
);
