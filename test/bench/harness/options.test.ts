/** The words after `npm run bench --`. */
import t from 'tap';
import { BENCHES } from '../../../bench/harness/list.ts';
import { readBenchWords, readOptions } from '../../../bench/harness/options.ts';

const KNOWN = { engine: {}, catalog: { markets: 'number', full: 'flag' } } as const;

t.test('no name is all of them, and options go to the one that is named', async (t) => {
  t.strictSame(readBenchWords([], KNOWN), { names: [], options: [] });
  const two = ['engine', 'catalog'];
  t.strictSame(readBenchWords(two, KNOWN), { names: two, options: [] });
  t.strictSame(readBenchWords(['catalog', '--markets', '20', '--full'], KNOWN), {
    names: ['catalog'],
    options: ['--markets', '20', '--full'],
  });
  const read = readOptions(['--markets', '20', '--full'], KNOWN.catalog);
  t.strictSame(read, { markets: 20, full: 1 });
  t.strictSame(readOptions([], KNOWN.catalog), {});
});

const REFUSED: readonly (readonly [words: string, refusal: string])[] = [
  ['motor', 'there is no bench motor; there are engine, catalog'],
  ['engine motor', 'there is no bench motor; there are engine, catalog'],
  ['toString', 'there is no bench toString; there are engine, catalog'],
  ['--markets 2', '--markets belongs to one bench: npm run bench -- catalog --markets 1000'],
  [
    'engine catalog --markets 2',
    '--markets belongs to one bench: npm run bench -- catalog --markets 1000',
  ],
  ['engine --markets 2', 'there is no option --markets; this bench has none'],
  ['catalog --accounts 2', 'there is no option --accounts; this bench has --markets N, --full'],
  ['catalog --full yes', 'there is no option yes; this bench has --markets N, --full'],
  ['catalog --toString', 'there is no option --toString; this bench has --markets N, --full'],
  ...['0', '-3', '1.5', 'many', '1e9', '9999999999999999', '--full'].map(
    (text) =>
      [
        `catalog --markets ${text}`,
        `the number after --markets is ${text}: give a whole number above 0`,
      ] as const,
  ),
  ['catalog --markets', 'the number after --markets is missing: give a whole number above 0'],
];

t.test('what is not known is refused in words', async (t) => {
  for (const [words, refusal] of REFUSED) {
    t.throws(() => readBenchWords(words.split(' '), KNOWN), { message: refusal }, words);
  }
});

t.test('a whole run gives each bench only what it knows', async (t) => {
  for (const [name, { known, whole }] of Object.entries(BENCHES)) {
    t.doesNotThrow(() => readOptions(whole, known), name);
  }
});
