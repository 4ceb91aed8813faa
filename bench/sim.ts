/**
 * `npm run sim -- --seed N --commands N`: drives the engine and its naive twin with the same random
 * commands, any number of them. Prints the final hash and the counts of the events; at the first
 * difference it prints the command line that repeats it and ends with 1.
 */
import { parseArgs } from 'node:util';
import { makeNaive, makeReal } from '../test/engine/engines.ts';
import { runTwins } from '../test/engine/twin-driver.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    commands: { type: 'string', default: '200000' },
  },
});

const whole = (name: string, text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} must be a whole number, not ${text}\n`);
  process.exit(2);
};

const seed = whole('seed', values.seed);
const commands = whole('commands', values.commands);
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

function showProgress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${commands}`);
}

try {
  const { hash, counts } = runTwins({
    seed,
    commands,
    engines: [makeNaive, makeReal],
    stateEvery: 100,
    onProgress: showProgress,
  });
  showProgress(commands);
  if (process.stderr.isTTY) process.stderr.write('\n');
  for (const [name, count] of [...counts].sort()) print(`${String(count).padStart(9)} ${name}`);
  print(`seed ${seed}, ${commands} commands, no difference, state hash ${hash}`);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
