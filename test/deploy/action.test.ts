/** deploy/action: its steps, run with bash as GitHub runs them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { isAlive } from '../run-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { PROJECT } from './system.ts';

const FOLDER = join(PROJECT, 'deploy/action');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

// Safe: the tests fail if the file has another form.
const action = parse(readFileSync(join(FOLDER, 'action.yml'), 'utf8')) as Action;

/** A job on a machine of GitHub, whose files are in a temporary folder. */
class Job {
  readonly #folder: string;
  readonly #inputs: Readonly<Record<string, string>>;
  hasFailed = false;

  constructor(t: Test, inputs: Readonly<Record<string, string>>) {
    this.#folder = temporaryFolder(t);
    const fallbacks = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
    this.#inputs = { ...Object.fromEntries(fallbacks), ...inputs };
    for (const name of ['env', 'output']) writeFileSync(join(this.#folder, name), '');
  }

  /** The variables or outputs that the steps have set. */
  read(name: 'env' | 'output'): Readonly<Record<string, string>> {
    const lines = readFileSync(join(this.#folder, name), 'utf8').split('\n').filter(Boolean);
    return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  }

  #fill(text: string): string {
    return text.replace(/\$\{\{ (?:inputs\.([\w-]+)|github\.action_path) \}\}/g, (_, name) =>
      name === undefined ? FOLDER : (this.#inputs[name] ?? ''),
    );
  }

  /** What GitHub evaluates before it runs a step. */
  #isDue({ if: condition = '' }: Step): boolean {
    const parts = condition.split(' && ').filter(Boolean);
    const has: Readonly<Record<string, boolean>> = {
      'always()': true,
      'failure()': this.hasFailed,
      "inputs.run != ''": this.#inputs.run !== '',
      "env.EXCHANGE_PID != ''": this.read('env').EXCHANGE_PID !== undefined,
    };
    const runsAfterFailure = parts.some((part) => part.endsWith('()'));
    return (runsAfterFailure || !this.hasFailed) && parts.every((part) => has[part] === true);
  }

  /** Runs the steps, and returns what they printed and the actions that they use. */
  run(): { readonly printed: string; readonly used: readonly string[] } {
    const due: Step[] = [];
    let printed = '';
    for (const step of action.runs.steps) {
      if (!this.#isDue(step)) continue;
      due.push(step);
      if (step.run !== undefined) printed += this.#runStep(step);
    }
    return { printed, used: due.flatMap(({ uses }) => uses ?? []) };
  }

  #runStep({ run = '', env = {} }: Step): string {
    const script = join(this.#folder, 'step.sh');
    writeFileSync(script, this.#fill(run));
    const own = Object.entries(env).map(([name, text]) => [name, this.#fill(text)]);
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      {
        cwd: this.#folder,
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          RUNNER_TEMP: this.#folder,
          GITHUB_ENV: join(this.#folder, 'env'),
          GITHUB_OUTPUT: join(this.#folder, 'output'),
          ...this.read('env'),
          ...Object.fromEntries(own),
        },
      },
    );
    this.hasFailed ||= status !== 0;
    return stdout + stderr;
  }
}

t.test('it starts an exchange, runs the commands, stops, and keeps the log', async (t) => {
  // The second command fails after the first has reached the exchange with what it was given.
  const call = 'curl --silent --fail --header "authorization: Bearer $ADMIN_TOKEN"';
  const job = new Job(t, {
    flags: '--dev-accounts 1 --log-level warn',
    run: `${call} "$EXCHANGE_ADMIN_URL/accounts/$ACCOUNT_ADDRESS"\nfalse\necho no`,
  });
  const { printed, used } = job.run();
  const { EXCHANGE_URL: url = '', EXCHANGE_PID: pid, ...variables } = job.read('env');
  t.match(printed, /"balance":"10000"/);
  t.notMatch(printed, /^no$/m);
  t.equal(job.hasFailed, true);
  t.strictSame(used, ['actions/upload-artifact@v4']);
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  t.equal(job.read('output').url, url);
  for (const name of ['PRIVATE_KEY', 'API_KEY', 'API_SECRET', 'API_PASSPHRASE', 'ADMIN_TOKEN']) {
    t.ok(variables[name], name);
    const page = readFileSync(join(PROJECT, 'docs/ci.md'), 'utf8');
    t.ok(page.includes(`\`${name}\``), `${name} is documented`);
  }
  while (isAlive(Number(pid))) await sleep(5);
});

t.test('a start that fails shows the end of the log', async (t) => {
  const job = new Job(t, { flags: '--no-such-flag', run: 'echo not reached' });
  const { printed, used } = job.run();
  t.match(printed, /::error::[\s\S]*there is no flag --no-such-flag/);
  t.notMatch(printed, 'not reached');
  t.strictSame(used, ['actions/upload-artifact@v4']);
});
