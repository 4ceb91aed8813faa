/**
 * The contract calls that the relayer carries out, and the moves that they become. The exchange
 * holds all money and tokens itself, so the contract that is called does not matter, and an
 * approval changes nothing.
 */
import { sumText } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { type Actor, MERGE, REDEEM, SPLIT } from '../../http/format/index.ts';
import type { TokenMove } from '../../http/orders/intake.ts';
import type { Registry } from '../../http/views/index.ts';
import { bySelector, callOf, uintOf, uintWord } from './abi.ts';
import type { WalletCall } from './deposit-wallet.ts';

/** Reads the words of a call; undefined if they are none that are carried out. */
type Reader = (words: readonly string[]) => MoveMaker | undefined;
type MoveMaker = (key: string, actor: Actor, registry: Registry) => TokenMove | undefined;

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
  return (key, actor, registry) => kind.read({ ...request, key }, actor, registry).command;
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

/** Of (collateral, parent, market, outcomes): all tokens of both outcomes. */
function redemption([, parent, market, place, ...outcomes]: readonly string[]) {
  const isWhole = place === uintWord(0x80) && outcomes.join('') === BOTH_OUTCOMES;
  if (!isWhole || parent !== NO_PARENT) return undefined;
  return (key: string, actor: Actor, registry: Registry) =>
    REDEEM.read({ market: `0x${market}`, key }, actor, registry).command;
}

const READERS: Readonly<Record<string, Reader>> = {
  'approve(address,uint256)': approval,
  'setApprovalForAll(address,bool)': approval,
  'splitPosition(address,bytes32,bytes32,uint256[],uint256)': sets(SPLIT),
  'mergePositions(address,bytes32,bytes32,uint256[],uint256)': sets(MERGE),
  'redeemPositions(address,bytes32,bytes32,uint256[])': redemption,
  'splitPosition(bytes32,uint256)': negRiskSets(SPLIT),
  'mergePositions(bytes32,uint256)': negRiskSets(MERGE),
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

/**
 * The moves of a batch, in order, each with a key of its own that begins with `name`. Throws
 * `relay_call_unknown`, `market_unknown`, `amount_off_grid` and `amount_out_of_bounds`.
 */
export function movesOf(
  calls: readonly WalletCall[],
  name: string,
  actor: Actor,
  registry: Registry,
): readonly TokenMove[] {
  return calls.flatMap((call, index) => {
    const maker = makerOf(call, `depositWalletParams.calls.${index}.data`);
    return maker(`${name}:${index}`, actor, registry) ?? [];
  });
}
