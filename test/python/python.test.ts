/**
 * The Python package, docs/python.md and the programs in Python: all tests in this folder, in one
 * run of pytest. Without Python and pytest they are skipped, which is said loudly.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import packageJson from '../../package.json' with { type: 'json' };
import { leaveNote } from '../notes.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The first Python of the path that has pytest, or Debian's; undefined if none has it. */
async function findPython(): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3']) {
    const tried = run(python, ['-m', 'pytest', '--version']);
    if (
      await tried.then(
        () => true,
        () => false,
      )
    )
      return python;
  }
  return undefined;
}

const python = await findPython();
if (python === undefined) {
  leaveNote('\nPYTHON WAS NOT TESTED: pytest is not installed (apt-get install python3-pytest)\n');
}

t.test('the Python package has the version of the program', async (t) => {
  const project = readFileSync(join(ROOT, 'python/pyproject.toml'), 'utf8');
  t.match(project, `\nversion = "${packageJson.version}"\n`);
});

t.test('the Python package does what its page says', { skip: python === undefined }, async (t) => {
  const folder = temporaryFolder(t);
  const program = join(folder, 'outcome-exchange');
  // The package takes Node's options from the exchange, which these tests start from its bundle.
  const options = `NODE_OPTIONS='${process.env.NODE_OPTIONS}'`;
  const line = `${options} exec '${process.execPath}' '${ROOT}main.ts' "$@"`;
  writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  const words = ['-m', 'pytest', '-p', 'no:cacheprovider', '-p', 'outcome_exchange.pytest_plugin'];
  const env = {
    ...process.env,
    OUTCOME_EXCHANGE: program,
    PYTHONPATH: join(ROOT, 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONWARNINGS: 'error',
  };
  const tests = [...words, '-W', 'error', 'test/python'];
  const { stdout } = await run(python ?? '', tests, { cwd: ROOT, env }).catch(
    ({ stdout, stderr }) => ({ stdout: `${stdout}${stderr}` }),
  );
  t.match(stdout, /^=+ \d+ passed in [^,]*$/m);
});
