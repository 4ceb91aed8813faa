// What calls of wallets become, and which markets an index set of `convertPositions` names. The
// calls are encoded by viem.
import t from 'tap';
import { encodeFunctionData, parseAbi } from 'viem';
import { movesOf } from '../../../sandbox/relay/moves.ts';

const SETS = 'address collateral, bytes32 parent, bytes32 id, uint256[] outcomes';
const ABI = parseAbi([
  `function splitPosition(${SETS}, uint256 amount)`,
  `function mergePositions(${SETS}, uint256 amount)`,
  `function redeemPositions(${SETS})`,
  'function splitPosition(bytes32 id, uint256 amount)',
  'function mergePositions(bytes32 id, uint256 amount)',
  'function redeemPositions(bytes32 id, uint256[] amounts)',
  'function convertPositions(bytes32 marketId, uint256 indexSet, uint256 amount)',
]);
const EVENT = `0x${'e7'.repeat(31)}00` as const;
const STEM = `0x${'a1'.repeat(31)}`;

const CONTRACT = `0x${'5'.repeat(40)}` as const;
const ACTOR = { account: '0xa', owner: '0xb' };

/** The moves of one call. */
function movesOfCall(data: string, parts: never) {
  const call = { target: CONTRACT, value: 0n, data };
  return movesOf([call], { field: 'calls', name: 'test', actor: ACTOR, parts });
}

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
  const [move] = movesOfCall(data, partsOf(questionIds));
  t.match(move, { kind: 'convert', eventId: '7', lots: 250, ...ACTOR });
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

t.test('sets are split, merged and redeemed by calls of either adapter', (t) => {
  const id = idOf(1) as typeof EVENT;
  // Safe: these moves read nothing else.
  const parts = { registry: { market: () => ({ conditionId: id }) } } as never;
  const movedBy = (data: string) => movesOfCall(data, parts);
  const both = [CONTRACT, `0x${'0'.repeat(64)}`, id, [1n, 2n]] as const;
  const amount = 1_500_000n;
  const common = { ...ACTOR, conditionId: id, key: 'test:0' };
  for (const [functionName, kind] of [
    ['splitPosition', 'split'],
    ['mergePositions', 'merge'],
  ] as const) {
    for (const args of [[...both, amount] as const, [id, amount] as const]) {
      const data = encodeFunctionData({ abi: ABI, functionName, args });
      t.match(movedBy(data), [{ kind, lots: 150, ...common }], `${functionName} ${args.length}`);
    }
  }
  const redeem = (args: typeof both | readonly [typeof EVENT, readonly bigint[]]) =>
    encodeFunctionData({ abi: ABI, functionName: 'redeemPositions', args });
  for (const args of [both, [id, [amount, 0n]] as const]) {
    t.same(movedBy(redeem(args)), [{ kind: 'redeem', ...common }], `redeem ${args.length}`);
  }
  const [, parent, ...others] = both;
  for (const data of [
    redeem([id, [amount]]),
    redeem([id, [amount, 0n, 0n]]),
    redeem([CONTRACT, parent, id, [1n]] as never),
    redeem([CONTRACT, id, ...others] as never),
    `${redeem(both)}${'0'.repeat(64)}`,
  ]) {
    t.throws(() => movedBy(data), { code: 'relay_call_unknown' }, data.slice(0, 300));
  }
  t.end();
});
