/**
 * Builds the image of a Dockerfile without a container engine: each stage is a folder that begins
 * as a clean Debian root, and each instruction is carried out there, the commands by chroot in a
 * process namespace of their own.
 *
 * The two base images can't be pulled. `debian:bookworm-slim` is a clean root of debootstrap. The
 * image of Node is the same root with the Node that runs this program, which must have the version
 * that the Dockerfile names, and with the npm of this machine, its settings and its cache.
 */
import { strict as assert } from 'node:assert';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { commandWords, type Instruction, ignoredBy, parseDockerfile } from './dockerfile.ts';
import { copyTree, makeDebianRoot, PROJECT, run, say } from './system.ts';

const DOCKERFILE = join(PROJECT, 'deploy/container/Dockerfile');
const NODE_IMAGE = `node:${process.versions.node}-bookworm-slim`;
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Image {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Ids of user and group, with a colon between them. */
  readonly user: string;
  readonly volumes: readonly string[];
  readonly folder: string;
  readonly health: readonly string[];
  readonly entry: readonly string[];
  readonly command: readonly string[];
  readonly stopSignal: string;
}

type Draft = { -readonly [Field in keyof Image]: Image[Field] };

const ignored = ignoredBy(readFileSync(`${DOCKERFILE}.dockerignore`, 'utf8'));

/** The settings of npm on this machine, where it has any, at the same places in the root. */
function npmMounts(root: string): (readonly [from: string, to: string])[] {
  const setting = (name: string): string => {
    return run('npm', ['config', 'get', name, '--silent']).trim().split('\n').at(-1) ?? '';
  };
  const pairs: (readonly [string, string])[] = [
    [setting('userconfig'), join(root, 'root/.npmrc')],
    [setting('cache'), join(root, 'root/.npm')],
  ];
  const authorities = [setting('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''];
  for (const path of new Set(authorities)) pairs.push([path, join(root, path)]);
  return pairs.filter(([from]) => from !== '' && existsSync(from));
}

function makeMountPoint(from: string, to: string): void {
  mkdirSync(statSync(from).isDirectory() ? to : dirname(to), { recursive: true });
  if (!existsSync(to)) writeFileSync(to, '');
}

function makeBase(name: string, root: string): void {
  makeDebianRoot(root);
  if (name === 'debian:bookworm-slim') return;
  assert.equal(name, NODE_IMAGE, 'the base image has the Node that runs this test');
  cpSync(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('start this program with npm run test:deploy');
  cpSync(join(npm, '../..'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')]);
}

function copyIn({ text }: Instruction, draft: Draft, stages: ReadonlyMap<string, string>): void {
  const words = text.split(/ +/);
  const [, stage] = /^--from=(.+)$/.exec(words[0] ?? '') ?? [];
  const sources = words.slice(stage === undefined ? 0 : 1, -1);
  const target = words.at(-1) ?? '';
  const context = stage === undefined ? PROJECT : stages.get(stage);
  if (context === undefined) throw new Error(`there is no stage ${stage}`);
  for (const source of sources) {
    const from = join(context, source);
    const isFolder = statSync(from).isDirectory();
    const inside = target.startsWith('/') ? target : join(draft.folder, target);
    const name = isFolder || !target.endsWith('/') ? '' : basename(source);
    const to = join(draft.root, inside, name);
    mkdirSync(dirname(to), { recursive: true });
    if (stage !== undefined) {
      if (isFolder) copyTree(from, to);
      else run('cp', ['--archive', from, to]);
      continue;
    }
    assert.ok(!ignored(source), `${source} is ignored`);
    const filter = (path: string): boolean => !ignored(relative(PROJECT, path));
    cpSync(from, to, { recursive: true, filter });
    run('chown', ['--recursive', 'root:root', to]);
  }
}

function runIn(text: string, { root, folder, environment }: Draft, mounts: string): void {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const settings = ['HOME=/root', 'npm_config_prefer_offline=true', ...authoritySettings()];
  const script = `set -e\n${mounts}mount -t proc proc '${root}/proc'\nexec chroot "$@"`;
  const inside = [
    'env',
    '-i',
    `--chdir=${folder}`,
    ...settings,
    ...variables,
    '/bin/sh',
    '-c',
    text,
  ];
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  run('unshare', [...namespaces, 'sh', '-c', script, 'sh', root, ...inside]);
}

function authoritySettings(): string[] {
  const path = process.env.NODE_EXTRA_CA_CERTS;
  return path === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${path}`];
}

/** Carries out one instruction that is neither COPY nor RUN. */
function configure({ keyword, text }: Instruction, draft: Draft): void {
  switch (keyword) {
    case 'WORKDIR':
      draft.folder = text;
      mkdirSync(join(draft.root, text), { recursive: true });
      return;
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(text) ?? [];
      assert.ok(name !== '', `ENV ${text} is not understood`);
      draft.environment = { ...draft.environment, [name]: value };
      return;
    }
    case 'USER':
      draft.user = text;
      return;
    case 'VOLUME':
      draft.volumes = [...draft.volumes, text];
      return;
    case 'HEALTHCHECK':
      draft.health = commandWords(text.slice(text.indexOf('CMD ') + 'CMD '.length));
      return;
    case 'STOPSIGNAL':
      draft.stopSignal = text;
      return;
    case 'ENTRYPOINT':
      draft.entry = commandWords(text);
      return;
    case 'CMD':
      draft.command = commandWords(text);
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`the instruction ${keyword} is not understood`);
  }
}

/** Builds the image in a folder, and says each step. */
export function buildImage(folder: string): Image {
  const stages = new Map<string, string>();
  let draft: Draft | undefined;
  for (const [index, stage] of parseDockerfile(readFileSync(DOCKERFILE, 'utf8')).entries()) {
    const root = join(folder, `stage-${index}`);
    say(`FROM ${stage.base}: made of a clean Debian root, not pulled`);
    makeBase(stage.base, root);
    const mounts = stage.base === NODE_IMAGE ? npmMounts(root) : [];
    for (const [from, to] of mounts) makeMountPoint(from, to);
    const mount = mounts.map(([from, to]) => `mount --bind '${from}' '${to}'\n`).join('');
    draft = {
      root,
      environment: { PATH: DEFAULT_PATH },
      user: '0:0',
      volumes: [],
      folder: '/',
      health: [],
      entry: [],
      command: [],
      stopSignal: 'SIGTERM',
    };
    for (const instruction of stage.instructions) {
      say(`${instruction.keyword} ${instruction.text}`);
      if (instruction.keyword === 'COPY') copyIn(instruction, draft, stages);
      else if (instruction.keyword === 'RUN') runIn(instruction.text, draft, mount);
      else configure(instruction, draft);
    }
    stages.set(stage.name, root);
  }
  if (draft === undefined) throw new Error('the Dockerfile has no stage');
  return draft;
}
