// What can't be replayed is told with its line and reason, and the rest goes on.
import t from 'tap';
import type { FaultReason } from '../../../sandbox/replay/faults.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { book, change, trade } from './recorded-messages.ts';
import { MARKET, NO, YES } from './recorded-venue.ts';
import { entriesOf, replayLines, shownLevels } from './replay-fixture.ts';

/** All rows use one market: a replay first cancels the orders of the one before. */
const exchange = (await shareTestExchange(t))();

const FIRST = book([['0.48', '30']], [['0.52', '25']], { tick_size: '0.01' });
/** The book after FIRST and the last line of each row. */
const AFTER = {
  bids: [
    [4_700, 700],
    [4_800, 3_000],
  ],
  asks: [[5_200, 2_500]],
};
const LAST = change('BUY', '0.47', '7');
const LONG = undefined;

interface Row {
  readonly what: string;
  readonly lines: readonly (string | undefined)[];
  /** The reason of each fault, all of line 2 unless the row says otherwise. */
  readonly reasons: readonly FaultReason[];
  readonly atLine?: number;
  readonly sentence?: RegExp;
}

const ROWS: readonly Row[] = [
  { what: 'a line that is not JSON', lines: ['{"event_type":'], reasons: ['line_malformed'] },
  { what: 'a JSON text', lines: ['"book"'], reasons: ['line_malformed'] },
  { what: 'a list of numbers', lines: ['[1,2]'], reasons: ['line_malformed'] },
  { what: 'a huge line', lines: [LONG], reasons: ['line_too_long'] },
  { what: 'an empty line, an empty list and a pong', lines: ['', '[]', 'PONG'], reasons: [] },
  {
    what: 'an unknown event',
    lines: ['{"event_type":"auction"}'],
    reasons: ['event_unknown'],
    sentence: /^line 2: no event "auction"$/,
  },
  { what: 'an object without an event', lines: ['{"a":1}'], reasons: ['event_unknown'] },
  {
    what: 'a book without sides',
    lines: [JSON.stringify({ event_type: 'book', asset_id: YES, market: MARKET })],
    reasons: ['message_malformed'],
  },
  {
    what: 'a book without an asset',
    lines: [book([], [], { asset_id: null })],
    reasons: ['message_malformed'],
  },
  {
    what: 'changes of no side',
    lines: [change('HOLD', '0.4', '1')],
    reasons: ['message_malformed'],
  },
  { what: 'a price in words', lines: [change('BUY', 'half', '1')], reasons: ['message_malformed'] },
  { what: 'a negative price', lines: [change('BUY', '-0.4', '1')], reasons: ['message_malformed'] },
  { what: 'a size in words', lines: [change('BUY', '0.4', '1e3')], reasons: ['message_malformed'] },
  { what: 'no size', lines: [change('BUY', '0.4', null)], reasons: ['message_malformed'] },
  {
    what: 'a level off the tick',
    lines: [change('BUY', '0.471', '5')],
    reasons: ['price_off_tick'],
    sentence: /^line 2: the price 0.471 is not a multiple of 0.01$/,
  },
  {
    what: 'a price off every tick',
    lines: [change('BUY', '0.47001', '5')],
    reasons: ['price_off_tick'],
  },
  { what: 'the price 0', lines: [change('BUY', '0', '5')], reasons: ['price_out_of_bounds'] },
  { what: 'the price 1', lines: [change('SELL', '1', '5')], reasons: ['price_out_of_bounds'] },
  {
    what: 'a price above 1',
    lines: [change('SELL', '1.5', '5')],
    reasons: ['price_out_of_bounds'],
  },
  {
    what: 'a price below the tick',
    lines: [change('BUY', '0.001', '5')],
    reasons: ['price_out_of_bounds'],
    sentence: /0.001 is not between 0.01 and 0.99/,
  },
  {
    what: 'a size above the largest order',
    lines: [change('BUY', '0.4', '1000000000.01')],
    reasons: ['size_out_of_bounds'],
    sentence: /1000000000.01 is above 1000000000/,
  },
  {
    what: 'one bad level of a book, whose others are set',
    lines: [
      book(
        [
          ['0.48', '30'],
          ['0.4815', '1'],
        ],
        [['0.52', '25']],
      ),
    ],
    reasons: ['price_off_tick'],
  },
  {
    what: 'a crossed book, until the next one',
    lines: [book([['0.53', '30']], [['0.52', '25']]), FIRST],
    reasons: ['book_crossed'],
    sentence: /^line 2: the recorded book is crossed: bid 0.53, ask 0.52$/,
  },
  {
    what: 'a level that crosses, until it is gone',
    lines: [change('BUY', '0.53', '5'), change('BUY', '0.53', '0')],
    reasons: ['book_crossed'],
  },
  {
    what: 'a sequence that goes back',
    lines: [
      change('BUY', '0.1', '5', { sequence: 9, stream_id: 's' }),
      change('BUY', '0.1', '6', { sequence: 8, stream_id: 's' }),
      change('BUY', '0.1', '0', { sequence: 10, stream_id: 's' }),
    ],
    reasons: ['sequence_old'],
    atLine: 3,
    sentence: /^line 3: sequence 8 comes after 9/,
  },
  {
    what: 'a smaller sequence of another stream',
    lines: [
      change('BUY', '0.1', '5', { sequence: 9, stream_id: 's' }),
      change('BUY', '0.1', '0', { sequence: 1, stream_id: 't' }),
    ],
    reasons: [],
  },
  {
    what: 'times that go back',
    lines: [change('BUY', '0.1', '5', { timestamp: '1' }), change('BUY', '0.1', '0')],
    reasons: [],
  },
  {
    what: 'a third asset',
    lines: [
      change('SELL', '0.9', '0', {
        price_changes: [{ asset_id: NO, side: 'BUY', price: '0.1', size: '0' }],
      }),
      book([], [], { asset_id: '77' }),
    ],
    reasons: ['asset_unknown'],
    atLine: 3,
  },
  { what: 'a duplicated book', lines: [FIRST, FIRST, FIRST], reasons: [] },
  { what: 'messages of another market', lines: [book([], [], { market: '0x77' })], reasons: [] },
  { what: 'a trade above the best ask', lines: [trade('BUY', '0.53', '5')], reasons: [] },
  { what: 'a trade at the other side', lines: [trade('BUY', '0.48', '5')], reasons: [] },
  {
    what: 'a trade while the book is crossed',
    lines: [
      `[${change('BUY', '0.52', '5')},${trade('BUY', '0.53', '5')}]`,
      change('BUY', '0.52', '0'),
    ],
    reasons: ['book_crossed', 'trade_not_possible'],
    sentence: /crossed/,
  },
  { what: 'a trade of no side', lines: [trade('', '0.52', '5')], reasons: ['message_malformed'] },
  {
    what: 'a price step that no market has',
    lines: [
      JSON.stringify({
        event_type: 'tick_size_change',
        asset_id: YES,
        market: MARKET,
        new_tick_size: '0.02',
      }),
    ],
    reasons: ['terms_refused'],
    sentence: /terms was refused \(4/,
  },
  {
    what: 'a price step in words',
    lines: [
      JSON.stringify({ event_type: 'tick_size_change', asset_id: YES, new_tick_size: 'fine' }),
    ],
    reasons: ['message_malformed'],
  },
  {
    what: 'sizes below the usual minimum',
    lines: [change('BUY', '0.4', '0.01'), change('BUY', '0.4', '0')],
    reasons: [],
  },
  { what: 'a size of less than a lot', lines: [change('BUY', '0.4', '0.009')], reasons: [] },
];

for (const { what, lines, reasons, atLine = 2, sentence } of ROWS) {
  t.test(what, async (t) => {
    const { report, told } = await replayLines(exchange, [FIRST, ...lines, LAST]);
    t.strictSame(
      report.faults.map(({ line, reason }) => [line, reason]),
      reasons.map((reason) => [atLine, reason]),
      told.join('\n'),
    );
    if (sentence !== undefined) t.match(told[0], sentence);
    const [yes, no] = await shownLevels(exchange);
    t.strictSame(entriesOf(yes), AFTER, 'the rest goes on');
    t.strictSame(entriesOf(no), AFTER);
  });
}

t.test('an empty recording replays nothing', async (t) => {
  const { report, told } = await replayLines(exchange, [], { changes: { market: undefined } });
  t.match(report, { market: '', messages: 0, skipped: {}, stopped: '' });
  t.strictSame(told, []);
});

t.test('--strict-replay stops at the first fault', async (t) => {
  const lines = [FIRST, change('BUY', '0.471', '5'), LAST];
  const { report } = await replayLines(exchange, lines, { changes: { isStrict: true } });
  t.match(report, {
    messages: 2,
    skipped: { price_off_tick: 1 },
    stopped: 'stopped at line 2: the price 0.471 is not a multiple of 0.01',
  });
  const [yes] = await shownLevels(exchange);
  t.strictSame(entriesOf(yes).bids, [[4_800, 3_000]]);
});

t.test('the first faults are told, and all are counted', async (t) => {
  const bad = Array.from({ length: 150 }, () => '{');
  const { report, told } = await replayLines(exchange, [FIRST, ...bad]);
  t.equal(report.faults.length, 100);
  t.strictSame(report.skipped, { line_malformed: 150 });
  t.equal(told.length, 101);
  t.equal(told.at(-1), 'further faults are only counted');
});

t.test('a recording that names no market needs --market, and no exchange is told', async (t) => {
  const nameless = book([], [], { market: undefined });
  const unnamed = replayLines(exchange, [nameless], { changes: { market: undefined } });
  await t.rejects(unnamed, { message: 'The recording does not name its market: give --market' });
  const nobody = replayLines(exchange, [FIRST], { changes: { url: 'http://127.0.0.1:9' } });
  await t.rejects(nobody, { message: /^No exchange answers at http:\/\/127.0.0.1:9\./ });
});
