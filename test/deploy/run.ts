/**
 * `npm run test:deploy -- PART...` tries the files in `deploy/` for real. It is not part of
 * `npm test`, because the parts need Debian packages, and some need root. Without a part it lists
 * them. Words that begin with `-` go to the programs of the parts.
 *
 * Invariant: a part whose packages are missing fails, with the command that installs them.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type DeployPart, PARTS } from './parts.ts';

const FAILED = 1;
const USED_WRONGLY = 2;

function fail(sentence: string, code: number): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}

function listText(): string {
  const lines = Object.entries(PARTS).map(([name, { about }]) => `  ${name}: ${about}`);
  return ['name one or more parts: npm run test:deploy -- PART...', ...lines].join('\n');
}

function isInstalled(name: string): boolean {
  const { error, stdout } = spawnSync('dpkg', ['--status', name], { encoding: 'utf8' });
  if (error) fail(`this needs Debian or a system made from it: ${error.message}`, FAILED);
  return stdout.includes('\nStatus: install ok installed\n');
}

function requireWhatItNeeds(name: string, { packages, needsRoot }: DeployPart): void {
  const missing = packages.filter((one) => !isInstalled(one));
  if (missing.length > 0) {
    fail(`${name} needs packages: apt-get install --yes ${missing.join(' ')}`, FAILED);
  }
  if (needsRoot && process.getuid?.() !== 0) fail(`${name} needs root`, FAILED);
}

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('-'));
const names = words.filter((word) => !word.startsWith('-'));
if (names.length === 0) fail(listText(), USED_WRONGLY);
for (const name of names) {
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (part === undefined) fail(`there is no part "${name}"; ${listText()}`, USED_WRONGLY);
  requireWhatItNeeds(name, part);
}
for (const name of names) {
  process.stdout.write(`== ${name}\n`);
  const program = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [program, ...flags], { stdio: 'inherit' });
  if (status !== 0) fail(`FAILED: ${name}`, FAILED);
  process.stdout.write(`ok: ${name}\n`);
}
