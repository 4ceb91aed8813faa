// The public methods of published clients, read from their packages, so that a new method of a new
// version is noticed and must get a row in the tables of calls.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The package's types tell which methods are private. */
function privateNames(packageName: string, file: string): ReadonlySet<string> {
  const entry = createRequire(import.meta.url).resolve(packageName);
  const types = readFileSync(join(dirname(entry), file), 'utf8');
  const found = types.matchAll(/^ +(?:private|protected) (\w+)/gm);
  return new Set([...found].map(([, name = '']) => name));
}

/** The names of the methods of a package's client, whose types are in `file`, sorted. */
export function publicMethods(
  packageName: string,
  client: { readonly prototype: object },
  file = 'client.d.ts',
): readonly string[] {
  const hidden = privateNames(packageName, file);
  return Object.getOwnPropertyNames(client.prototype)
    .filter((name) => name !== 'constructor' && !hidden.has(name))
    .toSorted();
}
