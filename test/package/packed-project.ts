/**
 * An empty project with the packed exchange in it. Its packages are links to ours, so that no test
 * needs the registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Scope, temporaryFolder } from '../temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PACKAGES = join(ROOT, 'node_modules');

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

export interface Project {
  readonly folder: string;
  /** The package as npm packs it. */
  readonly packageFile: string;
  /** The paths in the package. */
  readonly files: readonly string[];
  /** Writes a file of the project and returns its path. */
  write(name: string, text: string): string;
}

/** Packs the exchange and unpacks it where npm would install it. */
export function makeProject(t: Scope): Project {
  const folder = temporaryFolder(t);
  const words = ['pack', '--json', '--silent', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' })) as [
    Packed,
  ];
  const modules = join(folder, 'node_modules');
  const home = join(modules, 'outcome-exchange');
  mkdirSync(home, { recursive: true });
  const packageFile = join(folder, packed.filename);
  execFileSync('tar', ['-xzf', packageFile, '--strip-components=1', '-C', home]);
  for (const name of readdirSync(PACKAGES)) {
    if (!name.startsWith('.')) symlinkSync(join(PACKAGES, name), join(modules, name));
  }
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  write('package.json', '{ "type": "module" }');
  return { folder, packageFile, files: packed.files.map(({ path }) => path), write };
}

/** The first block of JavaScript in README.md. */
export function readmeExample(): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, example] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  if (example === undefined) throw new Error('README.md has no example in JavaScript');
  return example;
}
