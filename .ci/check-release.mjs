/**
 * Checks the files of a release as those who get them would: sums, contents, and installations of
 * the package and of the archive for servers in empty folders, where the exchange starts and
 * answers. Throws at the first fault. Resolves with how long a start by npx took, in words.
 * Installations get the other packages from the npm registry.
 */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readLicenses } from './licenses.mjs';
import { deadLinks } from './links.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 60_000;
const MOST_PACKAGE_BYTES = 4 * 1024 * 1024;
/** Licenses that let everyone use and pass on what npm installs with the exchange. */
const GOOD_LICENSES = ['Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];
const FLAGS = ['--json', '--memory', '--port=0', '--admin-port=0', '--log-level=error'];

export async function checkRelease(folder, { name, version }) {
  const base = `${name}-${version}`;
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: folder });
  checkSource(join(folder, `${base}-source.tar.gz`), base);
  checkSbom(join(folder, `${base}.cdx.json`), version);
  checkLicenses(readFileSync(join(folder, `${base}-licenses.txt`), 'utf8'));
  const packageFile = join(folder, `${base}.tgz`);
  await checkPackage(packageFile, { name, version });
  await checkServer(join(folder, `${base}-server.tar.gz`), base, version);
  return checkNpx(packageFile);
}

function list(program, words) {
  return execFileSync(program, words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('/'))
    .toSorted();
}

function committedFiles() {
  return list('git', ['-c', 'core.quotePath=off', 'ls-files']);
}

function filesIn(archive, base) {
  return list('tar', ['-tzf', archive]).map((file) => file.slice(base.length + 1));
}

/** The archive has every committed file and no other. */
function checkSource(path, base) {
  const packed = filesIn(path, base);
  assert.deepEqual(packed, committedFiles(), 'the source archive has the committed files');
}

function checkSbom(path, version) {
  const { components, metadata } = JSON.parse(readFileSync(path, 'utf8'));
  assert.equal(metadata.component.version, version);
  const refs = components.map((component) => component['bom-ref']);
  const expected = readLicenses().map(({ name, version: own }) => `${name}@${own}`);
  assert.deepEqual(refs.toSorted(), expected.toSorted(), 'the SBOM has each package of run time');
  for (const { name, licenses, hashes } of components) {
    assert.ok(licenses?.length > 0 && hashes?.length > 0, `${name} has a license and a hash`);
  }
}

function checkLicenses(text) {
  for (const { name, version, license } of readLicenses()) {
    assert.ok(GOOD_LICENSES.includes(license), `${name} has the license ${license}`);
    assert.ok(text.includes(`\n${name} ${version}: ${license}`), `${name} is in the licenses`);
  }
}

/** It has committed files and the bundle, and of tests nothing but pages that others link to. */
function checkContents(path) {
  const { size } = statSync(path);
  assert.ok(size <= MOST_PACKAGE_BYTES, `the package has ${size} bytes of ${MOST_PACKAGE_BYTES}`);
  const files = filesIn(path, 'package');
  const committed = new Set(committedFiles());
  const foreign = files.filter((file) =>
    committed.has(file) ? /^(test|bench|\.ci)\/.*(?<!\.md)$/.test(file) : !file.startsWith('dist/'),
  );
  assert.deepEqual(foreign, [], 'the package has no other files');
  for (const file of ['outcome-exchange', 'dist/main.js', 'dist/types/index.d.ts', 'README.md']) {
    assert.ok(files.includes(file), `${file} is in the package`);
  }
}

/** As on a fresh machine: npx, with an empty cache, in an empty folder. */
async function checkNpx(path) {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const env = { ...ownEnvironment(), HOME: folder, npm_config_cache: join(folder, 'cache') };
  copyFileSync(path, join(folder, basename(path)));
  const startedAt = performance.now();
  try {
    // npx would run a file with an absolute path as a program.
    const words = ['--yes', `./${basename(path)}`, ...FLAGS];
    const ready = await checkAnswers('npx', words, { cwd: folder, env });
    return `npx with an empty cache: ready after ${((ready - startedAt) / 1_000).toFixed(1)} s\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the package in an empty folder, starts the exchange there, and asks it. */
async function checkPackage(path, { name, version }) {
  checkContents(path);
  const project = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    writeFileSync(join(project, 'package.json'), '{"private": true}');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', path, ...quiet], { cwd: project, stdio: 'inherit' });
    const home = join(project, 'node_modules', name);
    const { version: installed } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    assert.equal(installed, version);
    checkLicenses(readFileSync(join(home, 'dist', 'licenses.txt'), 'utf8'));
    assert.deepEqual(deadLinks(home), [], 'each link of the package leads to a file of it');
    await checkStart(join(project, 'node_modules', '.bin', name), project, version);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** Installs the archive as on a server, starts the exchange there, and asks it. */
async function checkServer(path, base, version) {
  const committed = new Set(committedFiles());
  const others = filesIn(path, base).filter((file) => !committed.has(file));
  assert.ok(others.every((file) => file.startsWith('dist/')));
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    execFileSync('tar', ['-xzf', path, '-C', folder]);
    const home = join(folder, base);
    assert.deepEqual(deadLinks(home), [], 'each link of the archive leads to a file of it');
    execFileSync('node', ['.ci/install.mjs', '--omit=dev'], { cwd: home, stdio: 'inherit' });
    await checkStart(join(home, 'outcome-exchange'), folder, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without the packages of this clone: the installed program must find its own. */
function ownEnvironment() {
  const path = (process.env.PATH ?? '').split(delimiter).filter((at) => !at.startsWith(ROOT));
  return { PATH: path.join(delimiter) };
}

async function checkStart(program, cwd, version) {
  const env = ownEnvironment();
  const shown = execFileSync(program, ['--version'], { cwd, env, encoding: 'utf8' });
  assert.equal(shown.trim(), version);
  await checkAnswers(program, FLAGS, { cwd, env });
}

/** Starts an exchange, sees that it is a funded venue, and stops it. Resolves with when it was. */
async function checkAnswers(program, words, options) {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const ended = once(child, 'exit');
  let pid = child.pid;
  try {
    const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
    assert.equal(child.exitCode, null, 'the installed exchange starts');
    const readyAt = performance.now();
    const { url, devAccounts, ...ready } = JSON.parse(line[0]);
    ({ pid } = ready);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    const { data } = await (await fetch(`${url}/sampling-simplified-markets`)).json();
    assert.ok(devAccounts.length > 0 && data.length > 0, 'it has accounts and markets');
    return readyAt;
  } finally {
    // npx runs the exchange in a process of its own.
    if (child.exitCode === null) process.kill(pid, 'SIGTERM');
    const [code] = await ended;
    clearTimeout(late);
    assert.equal(code, 0, 'the exchange stops with 0');
  }
}
