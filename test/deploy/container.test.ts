/** deploy/container agrees with the program; `npm run test:deploy -- container` tries it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COMMANDS, SERVE_OPTIONS } from '../../http/command-line/options/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { commandWords, type Instruction, ignoredBy, parseDockerfile } from './dockerfile.ts';
import { PROJECT } from './system.ts';

const FOLDER = join(PROJECT, 'deploy/container');
const variables = Object.values(SERVE_OPTIONS).map(({ variable }) => variable);

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

const stages = parseDockerfile(read('Dockerfile'));

function textsOf(keyword: string): readonly string[] {
  const all: readonly Instruction[] = stages.flatMap(({ instructions }) => instructions);
  return all.filter((one) => one.keyword === keyword).map(({ text }) => text);
}

t.test('the image has the version of Node that the program is tested with', async (t) => {
  t.equal(stages[0]?.base, `node:${packageJson.dependencies.node}-bookworm-slim`);
});

t.test('everything that is copied is there and is sent to the builder', async (t) => {
  const ignored = ignoredBy(read('Dockerfile.dockerignore'));
  const copies = textsOf('COPY').filter((text) => !text.startsWith('--from='));
  for (const source of copies.flatMap((text) => text.split(/ +/).slice(0, -1))) {
    t.ok(existsSync(join(PROJECT, source)), source);
    t.notOk(ignored(source), source);
  }
  for (const path of ['data/master.secret', 'node_modules', '.git', 'http/console/browser/a.ts']) {
    t.ok(ignored(path), path);
  }
});

t.test('its variables, ports and commands are those of the program', async (t) => {
  for (const text of textsOf('ENV')) {
    const [name = ''] = text.split('=');
    if (name !== 'PATH') t.ok(variables.includes(name), text);
  }
  t.strictSame(textsOf('EXPOSE'), [
    `${SERVE_OPTIONS.port.fallback} ${SERVE_OPTIONS.adminPort.fallback}`,
  ]);
  const [health = ''] = textsOf('HEALTHCHECK').map((text) => text.replace(/^.*CMD /, ''));
  const names: readonly string[] = COMMANDS.map(({ name }) => name);
  const commands = [health, ...textsOf('ENTRYPOINT'), ...textsOf('CMD')].flatMap(commandWords);
  for (const word of commands) t.ok(word === 'outcome-exchange' || names.includes(word), word);
});

t.test('the variables of compose.yaml are those of the program', async (t) => {
  const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(read('compose.yaml')) ?? [];
  const names = [...block.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
  t.ok(names.length > 0);
  for (const name of names) t.ok(variables.includes(name), name);
});

t.test('a line of a Dockerfile that is not understood is an error', async (t) => {
  for (const text of ['RUN before\n', 'FROM a\nwrong\n', 'FROM a AS\n']) {
    t.throws(() => parseDockerfile(text), { message: /not understood/ }, text);
  }
  t.throws(() => ignoredBy('*.db'), { message: 'the pattern *.db is not understood' });
});
