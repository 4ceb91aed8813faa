/**
 * No two things share an exported name, in whichever room they are. The pages of the console are a
 * program of their own: names there mean what a browser's code means by them.
 */
import t from 'tap';
import { PRODUCT, readProject, readProjectFile } from './project.ts';

const DECLARATION =
  /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;
/** Its names are for other projects, and mean there what they mean here. */
const NPM_PACKAGE = /^sandbox\/package\//;
const BROWSER = /^console\/browser\//;

interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Names that more than one file declares and exports, with those files. */
function sharedNames(files: readonly SourceText[]): string[] {
  const declared = files.flatMap(({ path, text }) =>
    [...new Set([...text.matchAll(DECLARATION)].map(([, name = '']) => name))].map((name) => ({
      name,
      path,
    })),
  );
  return [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`);
}

t.test('each exported name of a program is declared in one file', async (t) => {
  const files = readProject()
    .filter(({ path }) => PRODUCT.test(path) && !NPM_PACKAGE.test(path))
    .map(({ path }) => ({ path, text: readProjectFile(path) }));
  const [browser, server] = [true, false].map((isBrowser) =>
    files.filter(({ path }) => BROWSER.test(path) === isBrowser),
  );
  for (const program of [browser, server]) {
    t.ok(program?.length);
    t.strictSame(sharedNames(program ?? []), []);
  }
});

t.test('a shared name is found; a type beside its schema or a re-export is not one', async (t) => {
  const schema = 'export const A = 1;\nexport type A = number;\n';
  t.strictSame(sharedNames([{ path: 'a.ts', text: schema }]), []);
  const user = { path: 'b.ts', text: "export { A } from './a.ts';\nconst B = A;\n" };
  t.strictSame(sharedNames([{ path: 'a.ts', text: schema }, user]), []);
  const other = { path: 'c.ts', text: 'export interface A {}' };
  t.strictSame(sharedNames([{ path: 'a.ts', text: schema }, other]), ['A: a.ts, c.ts']);
});
