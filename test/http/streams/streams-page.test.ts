/** The code in streams.md, compared with what an exchange really sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import examples from '../../../http/documentation/examples/streams.json' with { type: 'json' };
import { temporaryFolder } from '../../temporary-folder.ts';

const page = readFileSync(new URL('../../../http/streams/streams.md', import.meta.url), 'utf8');

t.test("the page's code computes the hash of each book and of each change", async (t) => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const file = join(temporaryFolder(t), 'book-hash.mjs');
  writeFileSync(file, `${code}\nexport { bookHash };\n`);
  const { bookHash } = await import(pathToFileURL(file).href);
  const { 'market.book': book, 'market.price_change': change } = examples;
  t.equal(bookHash(book), book.hash);
  const [own] = change.price_changes.filter(({ asset_id }) => asset_id === book.asset_id);
  if (own === undefined) throw new Error('the example changes another token');
  const bids = [{ price: own.price, size: own.size }, ...book.bids];
  t.equal(bookHash({ ...book, timestamp: change.timestamp, bids }), own.hash);
});
