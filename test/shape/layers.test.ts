/**
 * Checks the rules of .dependency-cruiser.mjs with samples: `npm run layers` runs them over the
 * project, and these samples show that they can fail.
 */
import t from 'tap';

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string; readonly pathNot?: string };
  readonly to: {
    readonly path?: string;
    readonly pathNot?: string | string[];
    readonly circular?: boolean;
  };
}

// Imported by its URL, because it is JavaScript without types.
const { href } = new URL('../../.dependency-cruiser.mjs', import.meta.url);
const { default: config }: { readonly default: { readonly forbidden: readonly Rule[] } } =
  await import(href);

function matches(path: string, wanted: Rule['to']): boolean {
  const excluded = [wanted.pathNot ?? []].flat();
  return (
    (wanted.path === undefined || new RegExp(wanted.path).test(path)) &&
    !excluded.some((pattern) => new RegExp(pattern).test(path))
  );
}

/** The names of the rules that an import breaks, except the rule about cycles. */
function brokenBy(from: string, to: string): string[] {
  return config.forbidden
    .filter((rule) => !('circular' in rule.to))
    .filter((rule) => matches(from, rule.from) && matches(to, rule.to))
    .map(({ name }) => name);
}

const SAMPLES: readonly (readonly [from: string, to: string, broken: string[]])[] = [
  ['engine/book/book.ts', 'engine/book/level-index.ts', []],
  ['engine/book/book.ts', 'engine/model/index.ts', []],
  ['engine/book/book.ts', 'engine/model/units.ts', ['public face: engine/model']],
  ['engine/book/book.ts', 'engine/orders/index.ts', ['layer: engine/book']],
  ['engine/engine.ts', 'persistence/index.ts', ['layer: engine']],
  ['persistence/sequencer.ts', 'engine/index.ts', []],
  ['persistence/index.ts', 'catalog/index.ts', []],
  ['catalog/index.ts', 'persistence/index.ts', ['layer: catalog']],
  ['venue/program.ts', 'persistence/index.ts', []],
  ['venue/program.ts', 'persistence/sequencer.ts', ['public face: persistence']],
  ['persistence/journal/thread.ts', 'persistence/threads/node-version.ts', []],
  ['venue/program.ts', 'test/program.ts', ['product without tests']],
  ['venue/plots.ts', 'console/index.ts', []],
  ['venue/base.ts', 'console/index.ts', ['optional: console']],
  ['main.ts', 'bench/index.ts', ['product without tests']],
  ['test/engine/book/book.test.ts', 'engine/book/book.ts', []],
  ['main.ts', 'http/attic/thing.ts', ['every folder is a room']],
];

t.test('an import that a layer forbids is found, and no other', async (t) => {
  for (const [from, to, broken] of SAMPLES)
    t.strictSame(brokenBy(from, to), broken, `${from} ${to}`);
});

t.test('cycles are forbidden', async (t) => {
  const [cycles] = config.forbidden.filter((rule) => 'circular' in rule.to);
  t.match(cycles, { severity: 'error', from: {}, to: { circular: true } });
});
