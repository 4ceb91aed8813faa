// Who can read the files of secrets, regardless of what was there before.
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { ProgramProcess } from '../program-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const NAME = 'admin.token';
function modeOf(path: string): number {
  return statSync(path).mode & 0o7777;
}

/** An open folder, and the files that it reported to have made private. */
function openFolder(t: Parameters<typeof temporaryFolder>[0], dataDir: string) {
  const tightened: (readonly [path: string, mode: number])[] = [];
  const onTightened = (path: string, mode: number) => tightened.push([path, mode]);
  const folder = new DataFolder({ dataDir, temporary: false, onTightened });
  t.teardown(() => folder.release());
  return { folder, tightened };
}

function mustNotMake(): never {
  throw new Error('it is there');
}

t.test('a secret that other users can read is closed to them before it is used', async (t) => {
  for (const mode of [0o644, 0o640, 0o660, 0o604, 0o610, 0o777]) {
    const dataDir = temporaryFolder(t);
    const path = join(dataDir, NAME);
    writeFileSync(path, 'kept');
    chmodSync(path, mode);
    const { folder, tightened } = openFolder(t, dataDir);
    t.equal(String(folder.secret(NAME, mustNotMake)), 'kept');
    t.equal(modeOf(path), 0o600, mode.toString(8));
    t.strictSame(tightened, [[path, mode]]);
    t.equal(String(folder.secret(NAME, mustNotMake)), 'kept');
    t.equal(tightened.length, 1, 'reported once');
  }
});

t.test('a secret that no other user can read stays as it is', async (t) => {
  for (const mode of [0o600, 0o400]) {
    const dataDir = temporaryFolder(t);
    const path = join(dataDir, NAME);
    writeFileSync(path, 'kept');
    chmodSync(path, mode);
    const { folder, tightened } = openFolder(t, dataDir);
    t.equal(String(folder.secret(NAME, mustNotMake)), 'kept');
    t.equal(modeOf(path), mode);
    t.strictSame(tightened, []);
  }
});

t.test('the target of a link is checked, closed and read', async (t) => {
  const [dataDir, elsewhere] = [temporaryFolder(t), join(temporaryFolder(t), 'token')];
  writeFileSync(elsewhere, 'kept', { mode: 0o644 });
  symlinkSync(elsewhere, join(dataDir, NAME));
  const { folder } = openFolder(t, dataDir);
  t.equal(String(folder.secret(NAME, mustNotMake)), 'kept');
  t.equal(modeOf(elsewhere), 0o600);
});

t.test('a secret of another user that others can read is refused', async (t) => {
  const dataDir = temporaryFolder(t);
  // A file whose mode not even root may change.
  symlinkSync('/proc/self/status', join(dataDir, NAME));
  const { folder } = openFolder(t, dataDir);
  t.throws(() => folder.secret(NAME, mustNotMake), {
    code: 'secret_exposed',
    message: /admin\.token can be read by other users \(mode 444\).*with mode 600$/,
  });
});

t.test('a file placed where a secret will be created is not written to', async (t) => {
  const [dataDir, victim] = [temporaryFolder(t), join(temporaryFolder(t), 'victim')];
  writeFileSync(victim, 'untouched');
  symlinkSync(victim, join(dataDir, `${NAME}.new`));
  const { folder } = openFolder(t, dataDir);
  t.equal(String(folder.secret(NAME, () => Buffer.from('made'))), 'made');
  t.equal(readFileSync(victim, 'utf8'), 'untouched');
  t.equal(modeOf(join(dataDir, NAME)), 0o600);

  const wide = temporaryFolder(t);
  writeFileSync(join(wide, `${NAME}.new`), 'left by a crash', { mode: 0o666 });
  openFolder(t, wide).folder.secret(NAME, () => Buffer.from('made'));
  t.equal(readFileSync(join(wide, NAME), 'utf8'), 'made');
  t.equal(modeOf(join(wide, NAME)), 0o600);
});

t.test('the program closes readable secrets and logs it', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const [token, master] = [join(dataDir, NAME), join(dataDir, 'master.secret')];
  writeFileSync(token, 'a-token-of-the-operator\n');
  writeFileSync(master, Buffer.alloc(32, 7));
  chmodSync(token, 0o644);
  chmodSync(master, 0o666);
  const words = ['--data', dataDir, '--json', '--port', '0', '--admin-port', '0'];
  const program = new ProgramProcess(t, words);
  await program.firstOutput();
  const { stderr } = await program.stop();
  const logged = stderr
    .trim()
    .split('\n')
    .map((line): { path?: string; mode?: string; msg: string } => JSON.parse(line))
    .filter(({ msg }) => msg === 'a secret that other users could read was made private');
  t.strictSame(logged.map(({ path, mode }) => [path, mode]).sort(), [
    [token, '644'],
    [master, '666'],
  ]);
  t.strictSame([modeOf(token), modeOf(master)], [0o600, 0o600]);
});
