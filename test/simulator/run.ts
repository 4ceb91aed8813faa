/**
 * `npm run sim`: simulates the exchange with seeded random commands, crashes and faults, for one or
 * several seeds. It prints the counts of each run and, at the first failure, the fault and the
 * command line that repeats it. `npm run sim -- --help` lists the options.
 */
import { randomInt } from 'node:crypto';
import { choiceKind, SWITCH, wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option, optional } from '../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../cli/parser/program-options.ts';
import { BUGS } from './bugs.ts';
import { Simulation } from './simulation.ts';

const SEEDS = 2 ** 32;
const WHOLE = wholeKind(0, SEEDS);

const { values } = readProgramOptions({
  name: 'sim',
  program: 'npm run sim --',
  summary: 'Simulate the exchange from seeds, one after the other',
  options: flagTable({
    seed: option(WHOLE, randomInt(SEEDS), 'The first seed', { fallbackText: 'random' }),
    commands: option(WHOLE, 2_000, 'Commands of each simulation'),
    runs: option(WHOLE, 1, 'Number of seeds'),
    trace: option(SWITCH, false, 'Print crashes and rests as they happen'),
    bug: optional(choiceKind(BUGS), 'A bug to plant, to see it found'),
  }),
});
const { seed: firstSeed, commands, runs, trace, bug } = values;

function print(line: string): boolean {
  return process.stdout.write(`${line}\n`);
}

for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  try {
    const { counts, hash } = await new Simulation({
      seed,
      commands,
      ...(bug === undefined ? {} : { bug }),
      ...(trace ? { trace: print } : {}),
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
