import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { stopChild } from '../../../sandbox/package/child.ts';

/** Counts its signals, and exits with their number when its input ends. */
const COUNTER = `
  let signals = 0;
  process.on('SIGTERM', () => console.log(signals += 1));
  process.stdin.on('end', () => process.exit(signals)).resume();
  console.log('ready');`;

// `stop` twice sent two signals, and the second one interrupts an exchange that stops.
t.test('two stops send one signal', async (t) => {
  const child = spawn(process.execPath, ['-e', COUNTER], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const first = stopChild(child);
  await once(child.stdout, 'data');
  const second = stopChild(child);
  child.stdin.end();
  await Promise.all([first, second]);
  t.equal(child.exitCode, 1);
  await stopChild(child);
});
