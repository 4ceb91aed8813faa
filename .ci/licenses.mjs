/**
 * The licenses of all packages that the exchange runs with: those that npm installs beside it, and
 * those whose code is in its own files, because esbuild put it there.
 *
 * Invariant: the same lock file gives the same text. A package without a license, or with its code
 * in ours and no text of its license, is an error.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BROWSER = 'console/browser';
/** .ci/bundle.mjs puts it into the program's files. */
const BUNDLED = ['typebox'];

const SOURCE = /\.tsx?$/;
/** An import of a package, of which it captures the package's name. */
const IMPORT = /^(?:import|export|\}).*\bfrom '(@[^/']+\/[^/']+|[^.@/'][^/']*)/gm;
const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;

const HEAD = `Packages that outcome-exchange runs with, and their licenses. The code of those that
are marked "bundled" is in the files of this package; npm installs the others.
`;

/** Every package of the lock file by its place, such as `node_modules/tar`. */
function lockedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return packages;
}

/** Packages whose code the console's pages contain. */
function browserPackages(packages) {
  const names = readdirSync(join(ROOT, BROWSER), { recursive: true })
    .filter((name) => SOURCE.test(name))
    .flatMap((name) => [...readFileSync(join(ROOT, BROWSER, name), 'utf8').matchAll(IMPORT)])
    .map(([, name]) => name)
    .filter((name) => packages[placeOf(name)] !== undefined);
  return withDependencies(packages, names);
}

function placeOf(name) {
  return `node_modules/${name}`;
}

function withDependencies(packages, names) {
  const found = new Set();
  const waiting = [...names];
  for (const name of waiting) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...Object.keys(packages[placeOf(name)]?.dependencies ?? {}));
  }
  return [...found];
}

/** The places of all packages of run time, in order. */
function runtimePlaces(packages) {
  return Object.keys(packages)
    .filter((place) => place !== '' && !packages[place].dev && !packages[place].devOptional)
    .toSorted();
}

/** Name, version, license and its text for each package of run time. Throws for a missing one. */
export function readLicenses() {
  const packages = lockedPackages();
  const bundled = new Set([...BUNDLED, ...browserPackages(packages)].map(placeOf));
  const places = new Set([...runtimePlaces(packages), ...bundled]);
  return [...places].toSorted().map((place) => {
    // The lock file names a package only if it is installed under another name.
    const { version, license, name = place.split('node_modules/').at(-1) } = packages[place];
    const folder = join(ROOT, place);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const texts = files
      .filter((file) => LICENSE_FILE.test(file))
      .toSorted()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const isBundled = bundled.has(place);
    if (license === undefined) throw new Error(`${place} names no license in package-lock.json`);
    if (isBundled && texts.length === 0) throw new Error(`${place} has no text of its license`);
    return { name, version, license, isBundled, text: texts.join('\n\n') };
  });
}

/** All of them as one text. */
export function licensesText() {
  const parts = readLicenses().map(({ name, version, license, isBundled, text }) => {
    const title = `${name} ${version}: ${license}${isBundled ? ' (bundled)' : ''}`;
    const body = text === '' ? 'The package has no file with the text of its license.' : text;
    return `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${body}\n`;
  });
  return [HEAD, ...parts].join('\n');
}
