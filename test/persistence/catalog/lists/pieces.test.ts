// Answers put together of pieces, against plain joining of texts: whatever characters they have,
// whatever of their markets trading tells, and in whatever order pieces stand.

import fc from 'fast-check';
import t from 'tap';
import {
  PageWriter,
  type Piece,
  PieceWriter,
} from '../../../../persistence/catalog/lists/pieces.ts';
import { fillMarkets, type MarketPlace } from '../../../../persistence/catalog/model/text.ts';
import { hex } from '../fixture.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', 'é', 'ß', '東', '🎉', '\u2028') });
const member = fc.string({ unit: fc.constantFrom('a', ',', '"', '1'), minLength: 1 });

const market = fc.record({
  before: text,
  number: fc.nat(1_000),
  closed: fc.boolean(),
  acceptingOrders: fc.boolean(),
  untraded: text,
  /** What trading says, if it does. */
  told: fc.option(member, { nil: undefined }),
});

const piece = fc.record({ markets: fc.array(market, { maxLength: 4 }), after: text });
const part = fc.oneof(piece, text);

type ValueOf<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Part = ValueOf<typeof part>;

function tellingOf({ number, closed, acceptingOrders }: ValueOf<typeof market>): MarketPlace {
  return {
    conditionId: hex(number),
    closed,
    acceptingOrders,
  };
}

function pieceOf({ markets, after }: Exclude<Part, string>): Piece {
  const writer = new PieceWriter();
  for (const one of markets) {
    writer.add(one.before);
    writer.market(tellingOf(one), one.untraded);
  }
  writer.add(after);
  return writer.done();
}

function joined(parts: readonly Part[], isTold: boolean): string {
  return parts
    .map((one) => {
      if (typeof one === 'string') return one;
      const markets = one.markets.map(
        ({ before, untraded, told }) => before + ((isTold ? told : undefined) ?? untraded),
      );
      return markets.join('') + one.after;
    })
    .join('');
}

t.test('a page is its pieces with what trading says, byte for byte', async (t) => {
  let replaced = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const page = new PageWriter();
      for (const one of parts) page.add(typeof one === 'string' ? one : pieceOf(one));
      const chars = parts.map((one) =>
        typeof one === 'string'
          ? one.length
          : one.after.length + one.markets.reduce((sum, { before }) => sum + before.length, 0),
      );
      if (page.chars !== chars.reduce((sum, length) => sum + length, 0)) throw new Error('chars');
      const answer = page.done(parts.length);
      const before = Buffer.from(answer.bytes).toString();
      if (before !== joined(parts, false)) throw new Error(`untold: ${before}`);
      const markets = parts.flatMap((one) => (typeof one === 'string' ? [] : one.markets));
      const asked: MarketPlace[] = [];
      const filled = fillMarkets(answer, (place) => {
        asked.push(place);
        return markets[asked.length - 1]?.told;
      });
      if (Buffer.from(filled).toString() !== joined(parts, true)) throw new Error('told');
      t.strictSame(asked, markets.map(tellingOf));
      // Where nothing is told the same bytes go out.
      if (markets.every(({ told }) => told === undefined)) t.equal(filled, answer.bytes);
      replaced += markets.filter(({ told }) => told !== undefined).length;
    }),
    { numRuns: 300, seed: 5 },
  );
  t.ok(replaced > 300, `${replaced} markets were told`);
});
