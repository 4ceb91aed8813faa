/**
 * `npm run sim:cluster`: simulates clusters, one seed after the other. It prints what happened, and
 * at the first failure the fault and the command line that repeats it. `npm run sim:cluster --
 * --help` lists the options.
 */
import { randomInt } from 'node:crypto';
import { choiceKind, SWITCH, wholeKind } from '../../../cli/parser/kinds.ts';
import { flagTable, option, optional } from '../../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../../cli/parser/program-options.ts';
import { ClusterSimulation } from './cluster-simulation.ts';
import { PLANT_NAMES } from './plants.ts';

const SEEDS = 2 ** 32;
const WHOLE = wholeKind(0, SEEDS);

const { values } = readProgramOptions({
  name: 'sim:cluster',
  program: 'npm run sim:cluster --',
  summary: 'Simulate clusters from seeds, one after the other',
  options: flagTable({
    seed: option(WHOLE, randomInt(SEEDS), 'The first seed', { fallbackText: 'random' }),
    seconds: option(WHOLE, 60, 'Simulated seconds of each run, before it comes to rest'),
    runs: option(WHOLE, 1, 'Number of seeds'),
    trace: option(SWITCH, false, 'Print faults as they happen'),
    plant: optional(choiceKind(PLANT_NAMES), 'A bug to plant, to see it found'),
  }),
});
const { seed: firstSeed, seconds, runs, trace, plant } = values;

function print(line: string): boolean {
  return process.stdout.write(`${line}\n`);
}

for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
  try {
    const { counts, hash } = await new ClusterSimulation({
      seed,
      simulatedMs: seconds * 1_000,
      ...(plant === undefined ? {} : { plant }),
      ...(trace ? { trace: print } : {}),
    }).run();
    if (runs === 1) {
      for (const [name, count] of [...counts].sort()) print(`${String(count).padStart(9)} ${name}`);
    }
    const shown = ['entries', 'commands', 'takeovers', 'deposed'];
    print(`seed ${seed}: ${shown.map((name) => `${counts.get(name) ?? 0} ${name}`)}, log ${hash}`);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const planted = plant === undefined ? '' : ` --plant ${plant}`;
    process.stderr.write(
      `${text}\nrepeat: npm run sim:cluster -- --seed ${seed} --seconds ${seconds}${planted}\n`,
    );
    process.exit(1);
  }
}
