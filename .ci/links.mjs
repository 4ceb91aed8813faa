/** Follows the links in the documents of an artefact, such as the npm package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A link to another file: no address and no place in the same document. */
const LINK = /\]\(([^)\s#:]+)(?:#[^)]*)?\)/g;

/** The documents of a folder, without those of installed packages. */
function documentsOf(home) {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !path.split('/').includes('node_modules'),
  );
}

/** `document: target` for each link in a document below `home` that leads to no file there. */
export function deadLinks(home) {
  return documentsOf(home).flatMap((path) =>
    [...readFileSync(join(home, path), 'utf8').matchAll(LINK)]
      .map(([, link = '']) => join(dirname(path), link))
      .filter((target) => target.startsWith('..') || !existsSync(join(home, target)))
      .map((target) => `${path}: ${target}`),
  );
}
