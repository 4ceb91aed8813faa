/** The bytes of files that another process removes. */
import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { bytesIn } from '../../../persistence/shared/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

t.test('bytes of a folder, also while it is removed', (t) => {
  const folder = temporaryFolder(t);
  const gone = join(folder, 'gone');
  mkdirSync(gone);
  writeFileSync(join(folder, 'one'), 'abc');
  writeFileSync(join(gone, 'two'), 'defg');
  t.equal(bytesIn(folder), 7);
  t.equal(bytesIn(join(folder, 'missing')), 0);
  const { readdirSync } = fs;
  const restore = (): void => {
    fs.readdirSync = readdirSync;
    syncBuiltinESMExports();
  };
  t.teardown(restore);
  const read = (path: string) => {
    if (path !== gone) return readdirSync(path);
    restore();
    rmSync(gone, { recursive: true });
    return readdirSync(path);
  };
  // Safe: it is called with a path alone.
  fs.readdirSync = read as typeof readdirSync;
  syncBuiltinESMExports();
  t.equal(bytesIn(folder), 3);
  t.end();
});
