/** Figures in short keep their size. */
import t from 'tap';
import { short, shortCash, sizeText } from '../../../../console/browser/kit/texts.ts';

const SHORT: readonly (readonly [number, string])[] = [
  [0, '0'],
  [17.4, '17.4'],
  [999, '999'],
  [999.5, '1K'],
  [1_200, '1.2K'],
  [12_345, '12.3K'],
  [100_000, '100K'],
  [120_000, '120K'],
  [999_600, '1M'],
  [500_000_000, '500M'],
  [-20_000, '-20K'],
  [2e15, '2000T'],
  [Number.NaN, '–'],
];

t.test('a figure in short is of the size of the figure', async (t) => {
  for (const [figure, text] of SHORT) t.equal(short(figure), text, String(figure));
});

t.test('cash in short has all cents or none', async (t) => {
  t.strictSame([0, 5, 17.4, 100_000].map(shortCash), ['$0', '$5', '$17.40', '$100K']);
});

t.test('a size has its unit', async (t) => {
  t.strictSame([100, 12_345, 100e9].map(sizeText), ['100 B', '12.3 kB', '100 GB']);
});
