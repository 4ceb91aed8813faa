import t from 'tap';
import { UsageError } from '../../../cli/parser/parse-arguments.ts';
import { resolveOptions } from '../../../cli/parser/resolve-options.ts';
import { REPLAY_OPTIONS } from '../../../sandbox/replay/replay-options.ts';
import { planReplay, type ReplayPlan } from '../../../sandbox/replay/replay-plan.ts';

const TOKEN = 'a-token-of-an-operator';

/** The plan of a command line, with files that have a token in them. */
function planOf(given: Readonly<Record<string, string>>): ReplayPlan {
  const flags = new Map(Object.entries(given));
  const { values } = resolveOptions(REPLAY_OPTIONS, { flags, environment: {} });
  return planReplay(values, 'day.ndjson', (path) => {
    if (path === '/none') throw new Error('no such file');
    return `${TOKEN}\n`;
  });
}

t.test('options make a plan', async (t) => {
  t.match(planOf({}), {
    file: 'day.ndjson',
    url: 'http://127.0.0.1:8080',
    adminUrl: 'http://127.0.0.1:8081',
    adminToken: TOKEN,
    seed: 'replay',
    market: undefined,
    speed: 1,
    longestPauseMs: 3_600_000,
    isStrict: false,
  });
  const market = `0x${'AB'.repeat(32)}`;
  const given = { '--market': market, '--speed': '2.5', '--url': 'https://a.example/' };
  t.match(planOf({ ...given, '--admin-token': 'another-token-of-it', '--longest-pause': '0' }), {
    market: market.toLowerCase(),
    speed: 2.5,
    url: 'https://a.example',
    adminToken: 'another-token-of-it',
    longestPauseMs: 0,
  });
  t.equal(planOf({ '--speed': 'max' }).speed, Number.POSITIVE_INFINITY);
});

t.test('wrong options are refused with their limits', async (t) => {
  const rows: readonly (readonly [flag: string, text: string, must: string])[] = [
    ['--speed', '0', 'a decimal from 0.1 to 10000, or max'],
    ['--speed', '10001', 'a decimal from 0.1 to 10000, or max'],
    ['--speed', 'fast', 'a decimal from 0.1 to 10000, or max'],
    ['--market', '7', 'a condition id: 0x and 64 hex digits'],
    ['--recorded-market', '0x7', 'a condition id: 0x and 64 hex digits'],
    ['--longest-pause', '-1', 'a whole number from 0 to 86400'],
    ['--longest-pause', '86401', 'a whole number from 0 to 86400'],
    ['--yes-asset', 'yes', 'an asset id: a plain decimal of up to 78 digits'],
    ['--admin-url', 'here', 'an HTTP or HTTPS URL'],
    ['--seed', '', 'a text of 1 to 4096 characters'],
  ];
  for (const [flag, text, must] of rows) {
    const message = `${flag} is "${text}"; it must be ${must}`;
    t.throws(() => planOf({ [flag]: text }), { name: 'UsageError' }, message);
    try {
      planOf({ [flag]: text });
    } catch (error) {
      t.match(error instanceof UsageError && error.faults[0], message);
    }
  }
  const unread = { message: `--admin-token-file is "/none", which can't be read: no such file` };
  t.throws(() => planOf({ '--admin-token-file': '/none' }), unread);
});
