/** The project's own source files. */
import { readdirSync, readFileSync } from 'node:fs';
import { readModule, type SourceModule } from './source-module.ts';

const ROOT = new URL('../../', import.meta.url);
/** The top-level folders of the product. */
export const PRODUCT_FOLDERS = [
  'engine',
  'persistence',
  'catalog',
  'http',
  'sandbox',
  'console',
  'cluster',
  'venue',
  'cli',
];
/** Matches the path of a file of the product, without main.ts. */
export const PRODUCT = new RegExp(`^(${PRODUCT_FOLDERS.join('|')})/`);
const FOLDERS = ['.ci', ...PRODUCT_FOLDERS, 'deploy', 'bench', 'test'];
const SOURCE = /\.(tsx?|mjs)$/;

/** The text of a file, by its path from the project's root. */
export function readProjectFile(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

function sourcePaths(): string[] {
  return [
    'main.ts',
    ...FOLDERS.flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        .filter((path) => SOURCE.test(path))
        .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
    ),
  ];
}

let project: readonly SourceModule[] | undefined;

/** All sources of the project, which a process reads once. */
export function readProject(): readonly SourceModule[] {
  project ??= sourcePaths()
    .toSorted()
    .map((path) => readModule(path, readProjectFile(path)));
  return project;
}
