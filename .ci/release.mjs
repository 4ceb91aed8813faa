/**
 * Makes the files of a release in the folder `release/`, and checks them (docs/releases.md):
 *
 *     outcome-exchange-VERSION.tgz          the npm package
 *     outcome-exchange-VERSION-server.tar.gz
 *     outcome-exchange-VERSION-source.tar.gz
 *     outcome-exchange-VERSION.cdx.json     the SBOM, CycloneDX
 *     outcome-exchange-VERSION-licenses.txt
 *     SHA256SUMS
 *
 * Invariant: the same commit gives the same bytes, in any clone, with the same versions of npm and
 * the packages. Nothing is made from files that are not committed. The version is that of
 * package.json and nowhere else.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { changelogFaults, notesOf } from './changelog.mjs';
import { checkRelease } from './check-release.mjs';
import { licensesText, readLicenses } from './licenses.mjs';
import { makeServer, pack } from './server.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'release');
const TRIAL = '--trial';
const MAX_BYTES = 256 * 1024 * 1024;

const USAGE = `Usage: npm run release -- [${TRIAL}]

Makes and checks the files of a release in release/. ${TRIAL} makes them of a version that has no
section in CHANGELOG.md yet.
`;

function run(program, words) {
  return execFileSync(program, words, {
    cwd: ROOT,
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** Everything that stands against a release, in sentences. */
function faultsOf(version, isTrial) {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const lock = readJson('package-lock.json');
  const changed = run('git', ['status', '--porcelain']).toString().trim();
  const lockVersions = new Set([lock.version, lock.packages[''].version]);
  return [
    ...(changed === '' ? [] : [`there are files that are not committed:\n${changed}`]),
    ...changelogFaults(changelog).map((fault) => `CHANGELOG.md: ${fault}`),
    ...(isTrial || notesOf(changelog, version) !== undefined
      ? []
      : [`CHANGELOG.md has no section for ${version}; ${TRIAL} does without`]),
    ...[...lockVersions]
      .filter((other) => other !== version)
      .map((other) => `package-lock.json has version ${other}, package.json has ${version}`),
  ];
}

/** What a server runs, made of the npm package, with the time of the commit. */
function archiveServer(packageFile, name) {
  const folder = mkdtempSync(join(tmpdir(), 'server-'));
  try {
    makeServer(join(FOLDER, packageFile), join(folder, name));
    const time = run('git', ['log', '-1', '--format=@%ct']).toString().trim();
    const same = ['--sort=name', `--mtime=${time}`, '--owner=0', '--group=0', '--numeric-owner'];
    const words = ['--create', '--format=gnu', '--mode=u=rwX,go=rX', ...same, '-C', folder, name];
    return gzipSync(run('tar', words), { level: 9 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All committed files, with the time of the commit. */
function archiveSource(name) {
  const words = ['-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=${name}/`, 'HEAD'];
  return gzipSync(run('git', words), { level: 9 });
}

/**
 * Leaves only packages of run time, and those whose code is in ours. npm's own `--omit=dev` also
 * leaves out packages of run time that a tool needs too.
 */
function withoutTools({ components, dependencies, ...rest }, root) {
  const kept = new Set([root, ...readLicenses().map(({ name, version }) => `${name}@${version}`)]);
  const isKept = (ref) => kept.has(ref);
  return {
    ...rest,
    components: components
      .filter((component) => isKept(component['bom-ref']))
      // npm marks packages as tools whose code esbuild puts into ours.
      .map((component) => ({ ...component, scope: 'required', properties: [] })),
    dependencies: dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  };
}

/**
 * The SBOM by the lock file. npm adds a random number and the time; here the number is a hash of
 * the rest, and the time is that of the commit.
 */
function makeSbom() {
  const words = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const full = JSON.parse(run('npm', [...words, '--sbom-type=application']).toString());
  const sbom = withoutTools(full, full.metadata.component['bom-ref']);
  const timestamp = new Date(run('git', ['log', '-1', '--format=%cI']).toString().trim());
  sbom.metadata.timestamp = timestamp.toISOString();
  // npm takes the name from the folder of the clone.
  sbom.metadata.component.name = readJson('package.json').name;
  delete sbom.serialNumber;
  const digest = createHash('sha256').update(JSON.stringify(sbom)).digest('hex');
  // A UUID of version 8: made by a rule of our own.
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  const uuid = [...parts, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
  const { $schema, bomFormat, specVersion, ...rest } = sbom;
  const whole = { $schema, bomFormat, specVersion, serialNumber: `urn:uuid:${uuid}`, ...rest };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

function sha256(file) {
  return createHash('sha256')
    .update(readFileSync(join(FOLDER, file)))
    .digest('hex');
}

async function release(isTrial) {
  const { name, version } = readJson('package.json');
  const faults = faultsOf(version, isTrial);
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
    return;
  }
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const base = `${name}-${version}`;
  // npm gives all files of the package the same time.
  const packageFile = pack(FOLDER);
  const files = [packageFile];
  const write = (file, content) => {
    writeFileSync(join(FOLDER, file), content);
    files.push(file);
  };
  write(`${base}-server.tar.gz`, archiveServer(packageFile, base));
  write(`${base}-source.tar.gz`, archiveSource(base));
  write(`${base}.cdx.json`, makeSbom());
  write(`${base}-licenses.txt`, licensesText());
  const sums = files.toSorted().map((file) => `${sha256(file)}  ${file}\n`);
  writeFileSync(join(FOLDER, 'SHA256SUMS'), sums.join(''));
  const start = await checkRelease(FOLDER, { name, version });
  process.stdout.write(`${start}${sums.join('')}The files are in ${FOLDER}\n`);
}

const words = process.argv.slice(2);
const unknown = words.filter((word) => word !== TRIAL && word !== '--help');
if (unknown.length > 0 || words.includes('--help')) {
  process.stdout.write(unknown.length > 0 ? `${unknown[0]} is unknown.\n${USAGE}` : USAGE);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  await release(words.includes(TRIAL));
}
