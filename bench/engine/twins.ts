/**
 * `npm run twins -- --seed N --commands N [--crowd] [--reload N]`: gives the engine and its naive
 * twin the same random commands. At the first difference it prints the command line that repeats
 * the run (`--reload` must be added by hand) and exits with code 1.
 */

import { SWITCH, wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option } from '../../cli/parser/option-table.ts';
import { readProgramOptions } from '../../cli/parser/program-options.ts';
import { makeNaive, makeReal, makeReloaded } from '../../test/engine/engines.ts';
import { CROWD, FEW } from '../../test/engine/random/scene.ts';
import { runTwins } from '../../test/engine/random/twins.ts';
import { printError, printLine } from '../harness/print.ts';

const WHOLE = wholeKind(0, 2 ** 32);
const { values } = readProgramOptions({
  name: 'twins',
  program: 'npm run twins --',
  summary: 'Compare the engine with its naive twin on random commands',
  options: flagTable({
    seed: option(WHOLE, 1, 'The seed'),
    commands: option(WHOLE, 200_000, 'Number of commands'),
    crowd: option(
      SWITCH,
      false,
      'Hundreds of accounts in many markets, instead of a few with small bounds',
    ),
    reload: option(WHOLE, 0, 'Reload the engine from a snapshot every N commands; 0 = never'),
  }),
});
const { seed, commands, crowd, reload } = values;

function showProgress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${commands}`);
}

try {
  const { hash, counts, sizes } = runTwins({
    seed,
    commands,
    engines: [makeNaive, reload > 0 ? makeReloaded(reload) : makeReal],
    scene: crowd ? CROWD : FEW,
    stateEvery: crowd ? 250 : 100,
    validateEvery: crowd ? 50 : 1,
    onProgress: showProgress,
  });
  showProgress(commands);
  if (process.stderr.isTTY) printError('');
  for (const [name, count] of [...counts].sort()) {
    printLine(`${String(count).padStart(9)} ${name}`);
  }
  printLine(`in the end: ${JSON.stringify(sizes)}`);
  printLine(`seed ${seed}, ${commands} commands, no difference, state hash ${hash}`);
} catch (error) {
  printError(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
