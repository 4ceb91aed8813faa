/** deploy/container agrees with the program; `npm run test:deploy -- container` tries it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SERVE_OPTIONS } from '../../cli/options/serve-options.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { ALL_COMMANDS } from '../all-commands.ts';
import { parseDockerfile } from './dockerfile.ts';
import { PROJECT } from './system.ts';

const FOLDER = join(PROJECT, 'deploy/container');
const variables = Object.values(SERVE_OPTIONS).map(({ variable }) => variable);

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

const instructions = parseDockerfile(read('Dockerfile'));

function textsOf(keyword: string): readonly string[] {
  return instructions.filter((one) => one.keyword === keyword).map(({ text }) => text);
}

t.test('the image has the version of Node that the program is tested with', async (t) => {
  const [first] = textsOf('FROM');
  t.equal(first, `node:${packageJson.dependencies.node}-bookworm-slim AS program`);
});

t.test('exactly what is copied is sent to the builder', async (t) => {
  const lines = read('Dockerfile.dockerignore')
    .split('\n')
    .filter((line) => !/^(#|$)/.test(line));
  const copies = textsOf('COPY').filter((text) => !text.startsWith('--from='));
  const sources = copies.flatMap((text) => text.split(/ +/).slice(0, -1));
  for (const source of sources) t.ok(existsSync(join(PROJECT, source)), source);
  t.equal(lines[0], '*', 'no data folder, no token');
  t.strictSame(
    lines.filter((line) => line.startsWith('!')).toSorted(),
    sources.map((source) => `!${source}`).toSorted(),
  );
});

t.test('its variables, ports and commands are those of the program', async (t) => {
  for (const text of textsOf('ENV')) {
    const [name = ''] = text.split('=');
    if (name !== 'PATH') t.ok(variables.includes(name), text);
  }
  const { port, adminPort, forcePublicDevAccounts } = SERVE_OPTIONS;
  t.strictSame(textsOf('EXPOSE'), [`${port.fallback}`, `${port.fallback} ${adminPort.fallback}`]);
  const [health = ''] = textsOf('HEALTHCHECK').map((text) => text.replace(/^.*CMD /, ''));
  const names: readonly string[] = ALL_COMMANDS.map(({ name }) => name);
  const commands = [health, ...textsOf('ENTRYPOINT'), ...textsOf('CMD')].flatMap((text) => {
    // Safe: an image whose command is another list would not start.
    return JSON.parse(text) as string[];
  });
  for (const word of commands) {
    t.ok(
      ['outcome-exchange', '--json', forcePublicDevAccounts.flag, ...names].includes(word),
      word,
    );
  }
});

// The last image of the file is the one that a build without --target makes.
t.test('dev accounts are allowed in the sandbox alone, which publishes one port', async (t) => {
  const venue = instructions.slice(instructions.findLastIndex((one) => one.keyword === 'FROM'));
  const texts = venue.map(({ text }) => text);
  t.ok(texts.includes('STRICT=true'));
  t.notMatch(texts.join(' '), 'dev-accounts');
  const ports = [...read('compose.sandbox.yaml').matchAll(/^ +- "(.*:\d+)"$/gm)];
  t.strictSame(
    ports.map(([, port]) => port),
    ['127.0.0.1:8080:8080'],
  );
});

t.test('the variables of compose.yaml are those of the program', async (t) => {
  const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(read('compose.yaml')) ?? [];
  const names = [...block.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
  t.ok(names.length > 0);
  for (const name of names) t.ok(variables.includes(name), name);
});

t.test('the variables of compose.cluster.yaml are those of the program or of etcd', async (t) => {
  const lines = read('compose.cluster.yaml').matchAll(/^ +([A-Z][A-Z_0-9]*):/gm);
  const names = new Set([...lines].map(([, name = '']) => name));
  t.ok(names.has('ETCD') && names.has('EXCHANGE_ROLE'));
  const others = [...names].filter((name) => !variables.includes(name) && name !== 'EXCHANGE_URL');
  t.ok(others.length > 5);
  for (const name of others) t.match(name, /^ETCD_/);
});

t.test('a line of a Dockerfile that is not understood is an error', async (t) => {
  t.throws(() => parseDockerfile('FROM a\nwrong\n'), { message: /understood: wrong$/ });
});
