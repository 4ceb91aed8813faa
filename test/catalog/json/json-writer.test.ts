// Texts that the writer makes from added text, slots and fragments, compared with plainly joined
// strings: for any characters, any replaced slots and any order of the parts.

import fc from 'fast-check';
import t from 'tap';
import { type JsonFragment, JsonWriter } from '../../../catalog/json/json-writer.ts';
import {
  authorSlotOf,
  fillSlots,
  type MarketSlot,
  marketSlotOf,
  slotOfAuthor,
  slotOfMarket,
  slotsOf,
} from '../../../catalog/model/slotted-json.ts';
import { hex } from '../fixture.ts';

const text = fc.string({ unit: fc.constantFrom('a', '"', 'é', 'ß', '東', '🎉', '\u2028') });
const member = fc.string({ unit: fc.constantFrom('a', ',', '"', '1'), minLength: 1 });

const market = fc.record({
  before: text,
  number: fc.nat(1_000),
  closed: fc.boolean(),
  acceptingOrders: fc.boolean(),
  untraded: text,
  /** The live content that replaces the slot, if any. */
  live: fc.option(member, { nil: undefined }),
});

const piece = fc.record({ markets: fc.array(market, { maxLength: 4 }), after: text });
const part = fc.oneof(piece, text);

type ValueOf<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Part = ValueOf<typeof part>;

function slotOf({ number, closed, acceptingOrders }: ValueOf<typeof market>): MarketSlot {
  return {
    conditionId: hex(number),
    closed,
    acceptingOrders,
  };
}

type Fragment = Exclude<Part, string>;

function write(writer: JsonWriter, { markets, after }: Fragment): void {
  for (const one of markets) {
    writer.add(one.before);
    writer.slot(slotOfMarket(slotOf(one)), one.untraded);
  }
  writer.add(after);
}

/** Writes a fragment after another text. Its positions must count from its own beginning. */
function fragmentOf(fragment: Fragment): JsonFragment {
  const writer = new JsonWriter();
  writer.add('é');
  writer.slot(slotOfMarket({ conditionId: hex(1), closed: true, acceptingOrders: false }), 'x');
  const mark = writer.mark();
  write(writer, fragment);
  const made = writer.fragmentSince(mark);
  writer.done(1);
  return made;
}

function joined(parts: readonly Part[], isLive: boolean): string {
  return parts
    .map((one) => {
      if (typeof one === 'string') return one;
      const markets = one.markets.map(
        ({ before, untraded, live }) => before + ((isLive ? live : undefined) ?? untraded),
      );
      return markets.join('') + one.after;
    })
    .join('');
}

t.test('a text is its parts with the slots replaced, byte for byte', async (t) => {
  let replaced = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const page = new JsonWriter();
      const fragments = parts.map((one) => (typeof one === 'string' ? one : fragmentOf(one)));
      fragments.forEach((fragment, index) => {
        const one = parts[index];
        if (typeof fragment === 'string') page.add(fragment);
        else if (index % 2 === 0) page.addFragment(fragment);
        else if (one !== undefined && typeof one !== 'string') write(page, one);
      });
      const chars = parts.map((one) =>
        typeof one === 'string'
          ? one.length
          : one.after.length + one.markets.reduce((sum, { before }) => sum + before.length, 0),
      );
      if (page.chars !== chars.reduce((sum, length) => sum + length, 0)) throw new Error('chars');
      const answer = page.done(parts.length);
      const before = Buffer.from(answer.bytes).toString();
      if (before !== joined(parts, false)) throw new Error(`unfilled: ${before}`);
      const markets = parts.flatMap((one) => (typeof one === 'string' ? [] : one.markets));
      const asked: MarketSlot[] = [];
      const filled = fillSlots(answer, (slot) => {
        asked.push(marketSlotOf(slot));
        return markets[asked.length - 1]?.live;
      });
      if (Buffer.from(filled).toString() !== joined(parts, true)) throw new Error('filled');
      t.strictSame(asked, markets.map(slotOf));
      // Without a replaced slot the same bytes are returned.
      if (markets.every(({ live }) => live === undefined)) t.equal(filled, answer.bytes);
      replaced += markets.filter(({ live }) => live !== undefined).length;
    }),
    { numRuns: 300, seed: 5 },
  );
  t.ok(replaced > 300, `${replaced} slots were replaced`);
});

t.test('the slot of an author is read back unchanged, whatever the address is', async (t) => {
  const parent = { type: 'Series', id: 7 } as const;
  const authors = ['0xa1', 'a\nb "c"', ''].map((address) => ({ address, parent }));
  const writer = new JsonWriter();
  for (const author of authors) writer.slot(slotOfAuthor(author), ',"positions":[]');
  const slots = slotsOf(writer.done(1));
  t.strictSame(slots.map(authorSlotOf), authors);
  const market = slotOfMarket({ conditionId: hex(1), closed: false, acceptingOrders: true });
  t.equal(authorSlotOf(market), undefined);
  t.strictSame(slotsOf(new JsonWriter().done(1)), []);
});
