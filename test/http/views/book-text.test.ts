import { createHash } from 'node:crypto';
import t from 'tap';
import { bookText, levelText } from '../../../http/views/book-text.ts';
import vectors from '../../vectors.json' with { type: 'json' };

interface Level {
  readonly price: string;
  readonly size: string;
}

function levelsText(levels: readonly Level[]): string {
  return levels.map(({ price, size }) => levelText(price, size)).join(',');
}

t.test('a book has the text and hash of the published vectors', async (t) => {
  t.ok(vectors.bookHashes.length >= 3, 'there are vectors');
  for (const { hashedText, sha1 } of vectors.bookHashes) {
    const book = JSON.parse(hashedText);
    const made = bookText({
      market: book.market,
      assetId: book.asset_id,
      timestamp: book.timestamp,
      bids: levelsText(book.bids),
      asks: levelsText(book.asks),
      minimumOrderSize: book.min_order_size,
      tickSize: book.tick_size,
      negRisk: book.neg_risk,
      lastTradePrice: book.last_trade_price,
    });
    t.equal(made.hash, sha1, `the hash ${sha1}`);
    t.equal(made.text, hashedText.replace('"hash":""', `"hash":"${sha1}"`), 'the text');
  }
});

t.test('the hash is that of the text with an empty hash', async (t) => {
  const made = bookText({
    market: '0x01',
    assetId: '2',
    timestamp: '3',
    bids: '',
    asks: levelText('0.5', '1'),
    minimumOrderSize: '5',
    tickSize: '0.1',
    negRisk: true,
    lastTradePrice: '',
  });
  const blank = made.text.replace(made.hash, '');
  t.equal(made.hash, createHash('sha1').update(blank).digest('hex'));
  t.equal(JSON.parse(made.text).neg_risk, true, 'a neg-risk market says so, as a boolean');
});
