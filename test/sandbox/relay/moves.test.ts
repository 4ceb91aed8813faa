// Which markets an index set of `convertPositions` names. The calls are encoded by viem.
import t from 'tap';
import { encodeFunctionData, parseAbi } from 'viem';
import { movesOf } from '../../../sandbox/relay/moves.ts';

const ABI = parseAbi([
  'function convertPositions(bytes32 marketId, uint256 indexSet, uint256 amount)',
]);
const EVENT = `0x${'e7'.repeat(31)}00` as const;
const STEM = `0x${'a1'.repeat(31)}`;

function idOf(place: number): string {
  return `0x${`${place}`.padStart(64, 'c')}`;
}

/** An event whose markets have these question ids, in order. */
function partsOf(questionIds: readonly string[]) {
  const ids = questionIds.map((_, place) => idOf(place));
  const lookup = {
    negRiskEvent: (id: string) => (id === EVENT ? 7 : undefined),
    marketByCondition: (id: string) => ({ questionId: questionIds[ids.indexOf(id)] }),
  };
  // Safe: a conversion reads nothing else of them.
  return { exchange: { catalog: { lookup } }, registry: { marketsOfEvent: () => ids } } as never;
}

/** The places of the markets whose NO is given. */
function placesOf(
  questionIds: readonly string[],
  indexSet: bigint,
  marketId: `0x${string}` = EVENT,
): unknown {
  const args = [marketId, indexSet, 2_500_000n] as const;
  const data = encodeFunctionData({ abi: ABI, functionName: 'convertPositions', args });
  const call = { target: `0x${'5'.repeat(40)}`, value: 0n, data };
  const actor = { account: '0xa', owner: '0xb' };
  const batch = { field: 'calls', name: 'test', actor, parts: partsOf(questionIds) };
  const [move = { kind: undefined }] = movesOf([call], batch);
  t.match(move, { kind: 'convert', eventId: '7', lots: 250, ...actor });
  const { conditionIds } = move as unknown as { conditionIds: readonly string[] };
  return conditionIds.map((id) => questionIds.findIndex((_, place) => idOf(place) === id));
}

/** Question ids of one event on the public chain, whose last byte is their number. */
function numbered(...numbers: readonly number[]): string[] {
  return numbers.map((number) => `${STEM}${number.toString(16).padStart(2, '0')}`);
}

const OTHERS = ['11', '22', '33'].map((byte) => `0x${byte.repeat(32)}`);

t.test('a bit is the number of a question, or else the place of its market', (t) => {
  for (const [name, questionIds, indexSet, places] of [
    ['the first', numbered(0, 1, 2), 1n, [0]],
    ['the last', numbered(0, 1, 2), 0b100n, [2]],
    ['two', numbered(0, 1, 2), 0b101n, [0, 2]],
    ['all', numbered(0, 1, 2), 0b111n, [0, 1, 2]],
    ['not in order', numbered(2, 0, 1), 0b001n, [1]],
    ['two, not in order', numbered(2, 0, 1), 0b110n, [0, 2]],
    ['with gaps', numbered(3, 200), 1n << 200n, [1]],
    ['the highest', numbered(0, 255), 1n << 255n, [1]],
    ['in capitals', numbered(9, 10).map((id) => id.replace('0a', '0A')), 1n << 10n, [1]],
    ['of several stems', OTHERS, 0b011n, [0, 1]],
    ['with a number twice', numbered(1, 1, 0), 0b100n, [2]],
    ['without question ids', ['', '', ''], 0b010n, [1]],
    ['none', numbered(0, 1), 0n, []],
  ] as const) {
    t.same(placesOf(questionIds, indexSet), places, name);
  }
  t.end();
});

t.test('a bit of no market, and an unknown event, are refused', (t) => {
  const unknown = { code: 'market_unknown', details: { field: 'index_set', actual: '0x8' } };
  t.throws(() => placesOf(numbered(0, 1, 2), 0b1001n), unknown);
  t.throws(() => placesOf(OTHERS, 0b1000n), unknown);
  t.throws(() => placesOf(OTHERS, 1n, `0x${'00'.repeat(32)}`), { code: 'event_unknown' });
  t.end();
});
