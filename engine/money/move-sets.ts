/**
 * Splitting cash into complete sets and merging sets into cash. A set is one YES and one NO token;
 * one unit of collateral is locked while it exists.
 */

import { accountFor, mayBuy } from '../accounts/open-account.ts';
import { NONE } from '../book/index.ts';
import {
  cashFor,
  isWhole,
  type Lots,
  type Merge,
  type Micros,
  ONE_TICKS,
  RESOLVED,
  type Redeem,
  type Split,
} from '../model/index.ts';
import { cashFault, isRunning, isTrading, tokenFault } from '../state/checks.ts';
import { changeSets, checkMarket } from '../state/collateral.ts';
import { type EngineState, findMarket, passes, reject } from '../state/engine-state.ts';
import {
  isKeyWellFormed,
  isNewMovement,
  type Movement,
  rememberMovement,
} from '../state/idempotency.ts';
import type { Market } from '../state/market.ts';

/** Checks, in order: `checkRequest`; the owner's standing; that the market trades; the cash. */
export function splitCash(state: EngineState, command: Split): void {
  const request = checkRequest(state, command);
  if (request === undefined) return;
  const { account, market } = request;
  const cost = cashFor(command.lots, ONE_TICKS);
  if (!mayBuy(state, account)) return;
  if (!isRunning(state, market) || !isTrading(state, market)) return;
  if (!passes(state, cashFault(state, account, cost))) return;
  const position = ensurePosition(state, account, market);
  state.ledger.pay(account, cost);
  for (const outcome of [0, 1] as const) state.positions.receive(position, outcome, command.lots);
  finish(state, request, command.lots);
}

/**
 * Checks, in order: `checkRequest`; nothing is halted; it is not resolved; the tokens, YES first.
 */
export function mergeSets(state: EngineState, command: Merge): void {
  const request = checkRequest(state, command);
  if (request === undefined) return;
  const { account, market } = request;
  const { lots, conditionId } = command;
  if (!isRunning(state, market)) return;
  if (market.status === RESOLVED) {
    reject(state, 'market_resolved', { field: 'conditionId', actual: conditionId });
    return;
  }
  const position = state.positions.find(account, market.index);
  if (!market.tokens.every((token) => passes(state, tokenFault(state, position, token, lots))))
    return;
  for (const outcome of [0, 1] as const) state.positions.deliver(position, outcome, lots);
  state.ledger.receive(account, cashFor(lots, ONE_TICKS));
  finish(state, request, -lots as Lots); // a whole number of lots
}

/** A new movement between the cash of an account and its tokens of a market. */
interface MarketMovement {
  readonly account: number;
  readonly market: Market;
  readonly movement: Movement;
}

/** Checks, in order: the form of the key; the lots; account and owner; the market; the key. */
function checkRequest(state: EngineState, command: Split | Merge): MarketMovement | undefined {
  const { key, lots } = command;
  if (!isKeyWellFormed(state, key) || !isSetSize(state, lots)) return undefined;
  return marketMovement(state, command, lots);
}

/** Checks, in order: account and owner; the market; the key. `amount` is that of the movement. */
export function marketMovement(
  state: EngineState,
  command: Split | Merge | Redeem,
  amount: number,
): MarketMovement | undefined {
  const { kind, conditionId, owner, key } = command;
  const account = accountFor(state, command);
  if (account === NONE) return undefined;
  const market = findMarket(state, conditionId);
  if (market === undefined) return undefined;
  const movement: Movement = {
    command: kind,
    owner,
    key,
    account: command.account,
    subject: conditionId,
    amount,
  };
  return isNewMovement(state, movement, command) ? { account, market, movement } : undefined;
}

export function isSetSize(state: EngineState, actual: Lots): boolean {
  const maximum = state.bounds.orderLots;
  if (isWhole(actual, 1, maximum)) return true;
  return reject(state, 'size_out_of_bounds', { field: 'lots', limit: `1..${maximum}`, actual });
}

/** The position of an account in a market, which is added if it does not exist. */
export function ensurePosition(
  { positions }: EngineState,
  account: number,
  { index }: Market,
): number {
  const known = positions.find(account, index);
  return known === NONE ? positions.add(account, index) : known;
}

/** Counts the sets and reports the movement, after the balances have moved. */
function finish(state: EngineState, { market, movement }: MarketMovement, splitLots: Lots): void {
  const size = Math.abs(splitLots) as Lots; // whole lots
  const amountMicros = (-splitLots * ONE_TICKS) as Micros; // whole micros
  changeSets(state, market, splitLots);
  checkMarket(state, market);
  const { account, key } = movement;
  const { conditionId } = market.terms;
  state.events.push({ kind: 'sets_moved', account, conditionId, splitLots, amountMicros, key });
  rememberMovement(state, movement, { amountMicros, yesLots: size, noLots: size });
}
