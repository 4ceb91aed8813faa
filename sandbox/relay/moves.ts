/**
 * The contract calls that the relayer carries out, and the moves that they become. The exchange
 * holds all money and tokens itself, so the contract that is called does not matter, and an
 * approval changes nothing.
 */
import { sumText } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { type Actor, CONVERT, MERGE, REDEEM, SPLIT } from '../../http/format/index.ts';
import type { TokenMove } from '../../http/orders/intake.ts';
import type { Services } from '../../http/services/index.ts';
import { bySelector, callOf, uintOf, uintWord, type WalletCall } from './abi.ts';

/** Reads the words of a call; undefined if they are none that are carried out. */
type Reader = (words: readonly string[]) => MoveMaker | undefined;
type MoveMaker = (key: string, actor: Actor, parts: Parts) => TokenMove | undefined;
type Parts = Pick<Services, 'exchange' | 'registry'>;

const NO_MOVE: MoveMaker = () => undefined;
const NO_PARENT = uintWord(0);
/** Both outcomes, as an array: its length, then the set of each outcome. */
const BOTH_OUTCOMES = [2, 1, 2].map(uintWord).join('');

function approval(words: readonly string[]): MoveMaker | undefined {
  return words.length === 2 ? NO_MOVE : undefined;
}

type Sets = typeof SPLIT;

function setsOf(kind: Sets, market: string, amount: bigint): MoveMaker {
  const request = { market: `0x${market}`, amount: sumText(amount) };
  return (key, actor, { registry }) => kind.read({ ...request, key }, actor, registry).command;
}

/** Of (collateral, parent, market, outcomes, amount). */
function sets(kind: Sets): Reader {
  return ([, parent, market, place, amount, ...outcomes]) => {
    const isWhole = place === uintWord(0xa0) && outcomes.join('') === BOTH_OUTCOMES;
    if (!isWhole || parent !== NO_PARENT || amount === undefined) return undefined;
    return setsOf(kind, market ?? '', uintOf(amount));
  };
}

/** Of (market, amount), as the older neg-risk adapter has it. */
function negRiskSets(kind: Sets): Reader {
  return ([market, amount, ...rest]) => {
    if (amount === undefined || rest.length > 0) return undefined;
    return setsOf(kind, market ?? '', uintOf(amount));
  };
}

/** All tokens of both outcomes. */
function redemptionOf(market: string | undefined): MoveMaker {
  return (key, actor, { registry }) =>
    REDEEM.read({ market: `0x${market}`, key }, actor, registry).command;
}

/** Of (collateral, parent, market, outcomes). */
function redemption([, parent, market, place, ...outcomes]: readonly string[]) {
  const isWhole = place === uintWord(0x80) && outcomes.join('') === BOTH_OUTCOMES;
  return isWhole && parent === NO_PARENT ? redemptionOf(market) : undefined;
}

/** Of (market, amounts), as the older neg-risk adapter has it; the amounts are not read. */
function negRiskRedemption([market, place, ...amounts]: readonly string[]) {
  const isWhole = place === uintWord(0x40) && amounts[0] === uintWord(2) && amounts.length === 3;
  return isWhole ? redemptionOf(market) : undefined;
}

/** The last digits of a question id, which number the questions of an event on the public chain. */
const QUESTION_NUMBER = /(?<=^0x[0-9a-f]{62})[0-9a-f]{2}$/i;

/**
 * The markets of an event whose bits are set: by the numbers of their questions, or in order.
 * Throws `market_unknown` for a bit of none, which the public contract refuses too.
 */
function chosenMarkets({ exchange, registry }: Parts, eventId: string, bits: bigint): string[] {
  const markets = registry.marketsOfEvent(eventId).map((conditionId, place) => {
    const { questionId = '' } = exchange.catalog.lookup.marketByCondition(conditionId) ?? {};
    const stem = questionId.replace(QUESTION_NUMBER, '');
    const number = Number(`0x${questionId.slice(stem.length) || '0'}`);
    return { conditionId, place, stem, number };
  });
  const numbers = new Set(markets.map(({ number }) => number));
  const stems = new Set(markets.map(({ stem }) => stem));
  const isNumbered = stems.size === 1 && numbers.size === markets.length;
  const bitOf = ({ place, number }: (typeof markets)[number]) =>
    1n << BigInt(isNumbered ? number : place);
  const others = markets.reduce((rest, market) => rest & ~bitOf(market), bits);
  if (others !== 0n) {
    throw new ApiError('market_unknown', {
      field: 'index_set',
      actual: `0x${others.toString(16)}`,
    });
  }
  return markets.filter((market) => (bits & bitOf(market)) !== 0n).map((one) => one.conditionId);
}

/** Of (event, set of its questions, amount): their NO tokens become YES of the others, and cash. */
function conversion([event = '', bits, amount, ...rest]: readonly string[]) {
  if (bits === undefined || amount === undefined || rest.length > 0) return undefined;
  return (key: string, actor: Actor, parts: Parts) => {
    const { exchange, registry } = parts;
    const eventId = exchange.catalog.lookup.negRiskEvent(`0x${event}`);
    if (eventId === undefined) {
      throw new ApiError('event_unknown', { field: 'event_id', actual: `0x${event}` });
    }
    const markets = chosenMarkets(parts, `${eventId}`, uintOf(bits));
    const request = { event_id: `${eventId}`, markets, amount: sumText(uintOf(amount)), key };
    return CONVERT.read(request, actor, registry).command;
  };
}

const READERS: Readonly<Record<string, Reader>> = {
  'approve(address,uint256)': approval,
  'setApprovalForAll(address,bool)': approval,
  'splitPosition(address,bytes32,bytes32,uint256[],uint256)': sets(SPLIT),
  'mergePositions(address,bytes32,bytes32,uint256[],uint256)': sets(MERGE),
  'redeemPositions(address,bytes32,bytes32,uint256[])': redemption,
  'splitPosition(bytes32,uint256)': negRiskSets(SPLIT),
  'mergePositions(bytes32,uint256)': negRiskSets(MERGE),
  'redeemPositions(bytes32,uint256[])': negRiskRedemption,
  'convertPositions(bytes32,uint256,uint256)': conversion,
};
const BY_SELECTOR = bySelector(READERS);
const NAMES = Object.keys(READERS).join(', ');

/** What a call does. Throws `relay_call_unknown` for any call that is not carried out. */
function makerOf({ data, value }: WalletCall, field: string): MoveMaker {
  const call = callOf(data);
  const maker = call && BY_SELECTOR.get(call.selector)?.(call.words);
  if (maker !== undefined && value === 0n) return maker;
  const limit = `value 0, both outcomes, and one of ${NAMES}`;
  throw new ApiError('relay_call_unknown', { field, limit, actual: echo(data) });
}

interface Batch {
  /** Where the calls stand in the request. */
  readonly field: string;
  /** The beginning of the moves' keys. */
  readonly name: string;
  readonly actor: Actor;
  readonly parts: Parts;
}

/**
 * The moves of a batch, in order, each with a key of its own. Throws `relay_call_unknown`,
 * `market_unknown`, `event_unknown`, `amount_off_grid` and `amount_out_of_bounds`.
 */
export function movesOf(
  calls: readonly WalletCall[],
  { field, name, actor, parts }: Batch,
): readonly TokenMove[] {
  return calls.flatMap((call, index) => {
    const maker = makerOf(call, field === 'data' ? field : `${field}.${index}.data`);
    return maker(`${name}:${index}`, actor, parts) ?? [];
  });
}
