/** The project's own source files. */
import { readdirSync, readFileSync } from 'node:fs';
import { readModule, type SourceModule } from './source-module.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDERS = ['engine', 'persistence', 'http', 'bench', 'test'];

/** The text of a file, by its path from the project's root. */
export const readProjectFile = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const sourcePaths = (): string[] => [
  'main.ts',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  ),
];

export const readProject = (): SourceModule[] =>
  sourcePaths()
    .toSorted()
    .map((path) => readModule(path, readProjectFile(path)));
