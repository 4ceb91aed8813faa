/**
 * The arguments of `npm run bench --` are checked before anything is measured, and a benchmark runs
 * in its own process, so it can fail without ending the run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { BENCHES } from '../../bench/benches.ts';
import { runBench } from '../../bench/run-bench.ts';

const INDEX = fileURLToPath(new URL('../../bench/index.ts', import.meta.url));

const REFUSED = [
  ['motor', 'bench: there is no benchmark motor'],
  ['engine toString', 'bench: there is no benchmark toString'],
  ['streams reads --rounds 2', 'bench: options need a single benchmark'],
  ['--rounds 2', 'bench: there is no flag --rounds'],
  ['catalog --markets 0', 'bench: --markets is "0"; it must be a whole number from 1'],
] as const;

t.test('unknown arguments end the run at once, with exit code 2 and a message', async (t) => {
  for (const [words, sentence] of REFUSED) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [INDEX, ...words.split(' ')], {
      encoding: 'utf8',
    });
    t.equal(status, 2, words);
    t.equal(stdout, '', words);
    t.ok(stderr.includes(sentence), `${words}: ${stderr}`);
  }
});

// History: it said "etcd-1 did not become ready:" and nothing else.
t.test('the cluster without etcd says what to install', async (t) => {
  const { status, stdout } = spawnSync(process.execPath, [INDEX, 'cluster'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '' },
  });
  t.equal(status, 1);
  t.match(stdout, 'cluster has not run: etcd is not installed: run "npm run cluster:install"');
});

t.test('each benchmark has the options that a whole run gives it', async (t) => {
  for (const [name, { options, whole }] of Object.entries(BENCHES)) {
    for (const option of Object.keys(whole)) t.ok(options[option], `${name} --${option}`);
  }
});

t.test('a benchmark that throws is reported with its message and without rows', async (t) => {
  const { rows, failure } = await runBench('motor', {});
  t.strictSame(rows, []);
  t.equal(failure, 'there is no benchmark motor');
});

t.test('a benchmark that takes too long is reported as failed', async (t) => {
  const { rows, failure } = await runBench('streams', {}, 500);
  t.strictSame(rows, []);
  t.equal(failure, 'the process did not answer within 0.5 seconds');
});
