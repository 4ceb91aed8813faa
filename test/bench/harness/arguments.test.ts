/** The words after `npm run bench --`. */
import t from 'tap';
import { BENCHES } from '../../../bench/benches.ts';
import { readBenchWords, readOptions } from '../../../bench/harness/arguments.ts';

const TABLES = { engine: {}, catalog: { markets: 'number', full: 'flag' } } as const;

t.test('no name means all benchmarks; options belong to the one that is named', async (t) => {
  t.strictSame(readBenchWords([], TABLES), { names: [], options: [] });
  const two = ['engine', 'catalog'];
  t.strictSame(readBenchWords(two, TABLES), { names: two, options: [] });
  t.strictSame(readBenchWords(['catalog', '--markets', '20', '--full'], TABLES), {
    names: ['catalog'],
    options: ['--markets', '20', '--full'],
  });
  const read = readOptions(['--markets', '20', '--full'], TABLES.catalog);
  t.strictSame(read, { markets: 20, full: 1 });
  t.strictSame(readOptions([], TABLES.catalog), {});
});

const REFUSED: readonly (readonly [words: string, refusal: string | RegExp])[] = [
  ['motor', 'there is no benchmark motor; there are engine, catalog'],
  ['engine motor', 'there is no benchmark motor; there are engine, catalog'],
  ['toString', 'there is no benchmark toString; there are engine, catalog'],
  ['--markets 2', 'name one benchmark with --markets: npm run bench -- NAME --markets'],
  ['engine catalog --full', 'name one benchmark with --full: npm run bench -- NAME --full'],
  ['engine --markets 2', /Unknown option '--markets'.*; it has no options$/],
  ['catalog --accounts 2', /Unknown option '--accounts'.*; its options are --markets N, --full$/],
  ['catalog --full yes', /Unexpected argument 'yes'/],
  ['catalog --toString', /Unknown option '--toString'/],
  ['catalog --markets', /'--markets <value>' argument missing/],
  ...['0', '1.5', 'many', '1e9', '9999999999999999'].map(
    (text) =>
      [
        `catalog --markets ${text}`,
        new RegExp(`^--markets must be a whole number above 0, not ${text}; its options are`),
      ] as const,
  ),
];

t.test('unknown words are refused with a sentence', async (t) => {
  for (const [words, message] of REFUSED) {
    t.throws(() => readBenchWords(words.split(' '), TABLES), { message }, words);
  }
});

t.test('the options of a whole run are those that each benchmark has', async (t) => {
  for (const [name, { options, whole }] of Object.entries(BENCHES)) {
    t.doesNotThrow(() => readOptions(whole, options), name);
  }
});
