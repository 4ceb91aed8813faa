// A few damaged copies of a data folder; `npm run faults -- damage` makes thousands.
import t from 'tap';
import { times } from '../long-set.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { judge, makeOriginals } from './damaged-folders.ts';

const CASES = times(5, 8);
const FIRST_SEED = 1;

t.test('a damaged folder starts with all commands, or says what is wrong', async (t) => {
  const parent = temporaryFolder(t);
  const made = await makeOriginals(parent, 1);
  const outcomes = new Map<string, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed += 1) {
    const { outcome } = await judge(parent, { ...made, seed });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  t.comment([...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', '));
  t.ok((outcomes.get('starts') ?? 0) > 0, 'some copies start');
  t.ok(outcomes.size > 2, 'there are several other outcomes');
});
