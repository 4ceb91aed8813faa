// Polymarket's client of live data hears of trades and comments on a real exchange.
import printer from 'node:console';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import t from 'tap';
import { startStage } from '../stage.ts';
import { runChecks } from './checks.ts';
import { REAL_TIME_CHECKS } from './real-time-checks.ts';
import { startRealTimeScene, TOPICS } from './real-time-scene.ts';
import { REAL_TIME } from './tables.ts';

const require = createRequire(import.meta.url);

t.test('each row of the README has one check', async (t) => {
  const entry = require.resolve('@polymarket/real-time-data-client');
  const readme = readFileSync(join(dirname(entry), '..', 'README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| `(\w+)` +\|.*\| .*\| .*\| .*\|$/gm)];
  t.strictSame(
    rows.map(([, topic, type]) => `${topic} ${type}`),
    [...TOPICS],
  );
});

const stage = await startStage(t);

t.test('the client of live data', async (t) => {
  // It prints what it can't parse, such as the answer to its ping, and that it was closed.
  for (const level of ['log', 'warn', 'error'] as const) t.capture(printer, level, () => {});
  const scene = await startRealTimeScene(stage);
  await runChecks(t, REAL_TIME, [REAL_TIME_CHECKS, scene]);
  await scene.disconnect();
});
