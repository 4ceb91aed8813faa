import { join } from 'node:path';
import t from 'tap';
import { checkDurableMark, writeDurableMark } from '../../../persistence/journal/durable-mark.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// `verify` beside a live exchange reported a lost end when a commit came between its two reads.
t.test('a commit during the check of the mark does not look like a lost end', async (t) => {
  const path = join(temporaryFolder(t), 'durable.seq');
  writeDurableMark(path, 7);
  let lastSeq = 7;
  const readBeforeCommit = (): number => {
    lastSeq += 1;
    writeDurableMark(path, lastSeq);
    return lastSeq - 1;
  };
  t.doesNotThrow(() => checkDurableMark(path, readBeforeCommit));
  t.doesNotThrow(() => checkDurableMark(path, () => lastSeq));
  t.throws(() => checkDurableMark(path, () => lastSeq - 1), { code: 'journal_behind' });
});
