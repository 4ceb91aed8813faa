/**
 * `npm run sim -- [--seed N] [--commands N] [--runs N] [--trace] [--bug NAME]`: simulates the
 * exchange from seeds, one after the other from the one that is given, or from a random one. Prints
 * what happened in each; at the first failure, what went wrong and the command line that repeats
 * it, and ends with 1. `--trace` tells of crashes and rests; `--bug` plants one, to see it found.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { BUGS, type Bug } from './bugs.ts';
import { Simulation } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    commands: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
    bug: { type: 'string' },
  },
});

function print(line: string): boolean {
  return process.stdout.write(`${line}\n`);
}

function refuse(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  return refuse(`--${name} must be a whole number, not ${text}`);
}

function bugNamed(name: string | undefined): Bug | undefined {
  return name === undefined
    ? undefined
    : (BUGS.find((bug) => bug === name) ?? refuse(`--bug is one of ${BUGS.join(', ')}`));
}

const firstSeed = whole('seed', values.seed ?? String(randomInt(2 ** 32)));
const commands = whole('commands', values.commands);
const runs = whole('runs', values.runs);
const bug = bugNamed(values.bug);

for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  try {
    const { counts, hash } = await new Simulation({
      seed,
      commands,
      ...(bug === undefined ? {} : { bug }),
      ...(values.trace ? { trace: print } : {}),
    }).run();
    if (runs === 1) {
      for (const [name, count] of [...counts].sort()) print(`${String(count).padStart(9)} ${name}`);
    }
    const [crashes, rests] = [counts.get('crashes') ?? 0, counts.get('rests') ?? 0];
    print(`seed ${seed}: ${commands} commands, ${crashes} crashes, ${rests} rests, hash ${hash}`);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const planted = bug === undefined ? '' : ` --bug ${bug}`;
    process.stderr.write(
      `${text}\nrepeat: npm run sim -- --seed ${seed} --commands ${commands}${planted}\n`,
    );
    process.exit(1);
  }
}
