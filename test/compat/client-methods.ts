// The public methods of the published client, read from its package, so that a new method of a new
// version is noticed and must get a row in the tables of calls.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ClobClient } from '@polymarket/clob-client-v2';

const PACKAGE = '@polymarket/clob-client-v2';

/** The package's types tell which methods are private. */
function privateNames(): ReadonlySet<string> {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const types = readFileSync(join(dirname(entry), 'client.d.ts'), 'utf8');
  return new Set([...types.matchAll(/^ {2}private (\w+)/gm)].map(([, name = '']) => name));
}

/** Sorted by name. */
export function publicMethods(): readonly string[] {
  const hidden = privateNames();
  return Object.getOwnPropertyNames(ClobClient.prototype)
    .filter((name) => name !== 'constructor' && !hidden.has(name))
    .toSorted();
}
