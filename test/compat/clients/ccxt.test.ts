// Calls every method of ccxt's client of prediction markets on a real exchange.
import t from 'tap';
import { CCXT_CHECKS } from './ccxt-checks.ts';
import { startCcxtScene } from './ccxt-scene.ts';
import { runChecks } from './checks.ts';
import { CCXT } from './tables.ts';

const scene = await startCcxtScene(t);

/** What `has` says besides methods. */
const TRAITS = ['publicAPI', 'privateAPI', 'prediction'];

t.test('each method that the package says it has, has one check', async (t) => {
  const has: Readonly<Record<string, unknown>> = scene.client.has;
  const methods = Object.keys(has).filter((name) => has[name] === true && !TRAITS.includes(name));
  const checked = CCXT_CHECKS.map(({ name }) => name);
  t.strictSame(checked.toSorted(), methods.toSorted());
});

t.test('ccxt', async (t) => {
  await runChecks(t, CCXT, [CCXT_CHECKS, scene]);
  const unknown = scene.stage.recorder.take().filter((route) => route.endsWith('(unknown)'));
  t.strictSame(unknown, [], 'all routes that it calls exist');
});
