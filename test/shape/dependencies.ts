/**
 * Each package is imported where ARCHITECTURE.md says, and nowhere else; tests and benchmarks may
 * import any run-time package besides.
 */
import { PRODUCT } from './project.ts';
import { packageOf, type SourceModule } from './source-module.ts';

export interface DependencyRow {
  readonly name: string;
  /** Files and folders, from the project's root; none for tools that no code imports. */
  readonly paths: readonly string[];
}

export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

// A formatter may align the columns of a table.
const HEADER = /^\| package +\| imported by +\| why +\|$/;
const RULE = /^[| -]+$/;
const EXACT_VERSION = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
// Packages of the console's pages are built into its files, and not needed when it runs.
const BUILT_PATH = /^console\/browser\//;

function inBackticks(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replace(/\/$/, ''));
}

function parseRow(line: string): DependencyRow {
  const [, name = '', paths = ''] = line.split('|');
  return { name: inBackticks(name)[0] ?? '', paths: inBackticks(paths) };
}

/** The rows of every table whose head is `package | imported by | why`. */
export function parseDependencyTables(markdown: string): DependencyRow[] {
  const rows: DependencyRow[] = [];
  let isInside = false;
  for (const line of markdown.split('\n')) {
    if (HEADER.test(line)) isInside = true;
    else if (!line.startsWith('|')) isInside = false;
    else if (isInside && !RULE.test(line)) rows.push(parseRow(line));
  }
  return rows;
}

function isUnder(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

interface Use {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

function usesOf(modules: readonly SourceModule[]): Use[] {
  return modules.flatMap(({ path, imports }) =>
    imports
      .map((one) => ({ name: packageOf(one), path, line: one.line }))
      .filter(({ name }) => name !== ''),
  );
}

function useFaults(use: Use, row: DependencyRow | undefined, manifest: Manifest): string[] {
  const place = `${use.path}:${use.line} imports ${use.name}`;
  if (row === undefined) return [`${place}, which has no row in ARCHITECTURE.md`];
  const isRunTimeCode =
    use.path === 'main.ts' || (PRODUCT.test(use.path) && !BUILT_PATH.test(use.path));
  const isRunTimePackage = Object.hasOwn(manifest.dependencies, use.name);
  if (isRunTimeCode && !isRunTimePackage) return [`${place}, which is no run-time dependency`];
  // Tests and benchmarks may import every run-time package.
  if (isRunTimePackage && !isRunTimeCode) return [];
  if (row.paths.some((path) => isUnder(use.path, path))) return [];
  return [`${place}, and ARCHITECTURE.md names ${row.paths.join(', ') || 'no file'}`];
}

function staleFaults(rows: readonly DependencyRow[], uses: readonly Use[]): string[] {
  return rows.flatMap(({ name, paths }) =>
    paths
      .filter((path) => !uses.some((use) => use.name === name && isUnder(use.path, path)))
      .map((path) => `ARCHITECTURE.md: ${name} is not imported by ${path}`),
  );
}

function manifestFaults(rows: readonly DependencyRow[], manifest: Manifest): string[] {
  const versions = { ...manifest.dependencies, ...manifest.devDependencies };
  const names = rows.map(({ name }) => name);
  return [
    ...Object.keys(versions)
      .filter((name) => !names.includes(name))
      .map((name) => `package.json: ${name} has no row in ARCHITECTURE.md`),
    ...names
      .filter((name) => !Object.hasOwn(versions, name))
      .map((name) => `ARCHITECTURE.md: ${name} is not in package.json`),
    ...Object.entries(versions)
      .filter(([, version]) => !EXACT_VERSION.test(version))
      .map(([name, version]) => `package.json: ${name} is "${version}", no exact version`),
  ];
}

/** Finds differences between code, package.json and the tables of ARCHITECTURE.md. */
export function dependencyFaults(
  modules: readonly SourceModule[],
  rows: readonly DependencyRow[],
  manifest: Manifest,
): string[] {
  const uses = usesOf(modules);
  const rowOf = new Map(rows.map((row) => [row.name, row]));
  return [
    ...uses.flatMap((use) => useFaults(use, rowOf.get(use.name), manifest)),
    ...staleFaults(rows, uses),
    ...manifestFaults(rows, manifest),
  ];
}
