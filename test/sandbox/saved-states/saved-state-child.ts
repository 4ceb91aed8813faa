/**
 * A separate process that saves or restores a state of a closed data folder, and kills itself at a
 * step: `save` at a turn of the event loop, `restore` before a change of the folder. It prints
 * `done` if it gets to the end.
 */

import { DataFolder } from '../../../persistence/folder/data-folder.ts';
import { commitSwap, finishSwap } from '../../../persistence/folder/folder-swap.ts';
import { SavedStates } from '../../../sandbox/saved-states/saved-states.ts';

const [act, dataDir, stepText] = process.argv.slice(2);
// A run of all files of the folder as tests starts this file too, and must not get a data folder.
if (dataDir === undefined) throw new Error('give save or restore, the data folder and the step');

let left = Number(stepText);
function step(): void {
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
}

const folder = new DataFolder({ dataDir, temporary: false });
const states = new SavedStates(folder, '1');
if (act === 'save') {
  const saving = states.save({ name: '', timeMs: 1, madeMs: 1 });
  let isSaved = false;
  const turn = (): void => {
    step();
    if (!isSaved) setImmediate(turn);
  };
  turn();
  await saving;
  isSaved = true;
} else {
  await states.stage('1', 1);
  commitSwap(folder.path);
  finishSwap(folder.path, step);
}
folder.release();
process.stdout.write('done\n');
