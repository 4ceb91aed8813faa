/**
 * `npm run twins -- --seed N --commands N [--crowd] [--reload N]`: drives the engine and its naive
 * twin with the same random commands, any number of them: of a handful of people who meet every
 * bound, or with `--crowd` of hundreds of accounts in markets that begin and end all the time. With
 * `--reload N` the engine leaves as an image and comes back each N commands. Prints the final hash
 * and the counts of commands and events; at the first difference it prints the command line that
 * repeats it, but for `--reload`, and ends with 1.
 */
import { parseArgs } from 'node:util';
import { makeNaive, makeReal, makeReloaded } from '../../test/engine/engines.ts';
import { CROWD, FEW } from '../../test/engine/random/scene.ts';
import { runTwins } from '../../test/engine/random/twins.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    commands: { type: 'string', default: '200000' },
    reload: { type: 'string', default: '0' },
    crowd: { type: 'boolean', default: false },
  },
});

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} must be a whole number, not ${text}\n`);
  process.exit(2);
}

const seed = whole('seed', values.seed);
const commands = whole('commands', values.commands);
const reloadEvery = whole('reload', values.reload);
function print(line: string): boolean {
  return process.stdout.write(`${line}\n`);
}

function showProgress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${commands}`);
}

try {
  const { hash, counts, sizes } = runTwins({
    seed,
    commands,
    engines: [makeNaive, reloadEvery > 0 ? makeReloaded(reloadEvery) : makeReal],
    scene: values.crowd ? CROWD : FEW,
    stateEvery: values.crowd ? 250 : 100,
    validateEvery: values.crowd ? 50 : 1,
    onProgress: showProgress,
  });
  showProgress(commands);
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const [name, count] of [...counts].sort()) print(`${String(count).padStart(9)} ${name}`);
  print(`in the end: ${JSON.stringify(sizes)}`);
  print(`seed ${seed}, ${commands} commands, no difference, state hash ${hash}`);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
