// Calls every method of the first version of the published client on a real exchange.
import { ClobClient, RfqClient } from '@polymarket/clob-client';
import t from 'tap';
import { publicMethods } from '../client-methods.ts';
import { startStage } from '../stage.ts';
import { runChecks } from './checks.ts';
import { newFirstTrader } from './first-version.ts';
import { FIRST_VERSION_CHECKS } from './first-version-checks.ts';
import { FIRST_VERSION } from './tables.ts';

const PACKAGE = '@polymarket/clob-client';

t.test('each public method of the package has one check', async (t) => {
  const quotes = publicMethods(PACKAGE, RfqClient, 'rfq-client.d.ts');
  const methods = [...publicMethods(PACKAGE, ClobClient), ...quotes.map((name) => `rfq.${name}`)];
  const checked = FIRST_VERSION_CHECKS.map(({ name }) => name);
  t.strictSame(checked.toSorted(), methods.toSorted());
});

const stage = await startStage(t, newFirstTrader);

t.test('the first version of the client', async (t) => {
  await runChecks(t, FIRST_VERSION, [FIRST_VERSION_CHECKS, stage]);
  const unknown = stage.recorder.take().filter((route) => route.endsWith('(unknown)'));
  t.strictSame(unknown, [], 'it calls no route that does not exist');
});
