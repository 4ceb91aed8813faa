// Calls every method of the unified SDK's client on a real exchange.
import t from 'tap';
import { startStage } from '../stage.ts';
import { runChecks } from './checks.ts';
import { UNIFIED } from './tables.ts';
import { startUnifiedScene } from './unified.ts';
import { UNIFIED_CHECKS } from './unified-checks.ts';

const scene = await startUnifiedScene(await startStage(t));

t.test('each method of the client has one check', async (t) => {
  const methods = Object.entries(scene.client).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  );
  const checked = UNIFIED_CHECKS.map(({ name }) => name);
  t.strictSame(checked.toSorted(), methods.toSorted());
});

t.test('the unified client', async (t) => {
  await runChecks(t, UNIFIED, [UNIFIED_CHECKS, scene]);
});
