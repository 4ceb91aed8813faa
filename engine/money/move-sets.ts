/**
 * Splitting cash into complete sets, and merging complete sets into cash. A set is one YES and one
 * NO token, worth exactly one unit of collateral, which is locked while the set exists.
 */

import { accountFor, mayTrade } from '../accounts/index.ts';
import { NONE } from '../book/index.ts';
import type { Merge, Split } from '../model/index.ts';
import { cashFor, isWhole, type Lots, type Micros, ONE_TICKS, RESOLVED } from '../model/index.ts';
import {
  type Core,
  changeSets,
  checkMarket,
  hasCash,
  hasTokens,
  isMoneyKey,
  isNewMovement,
  isRunning,
  isTrading,
  type Market,
  type Movement,
  reject,
  rememberMovement,
} from '../state/index.ts';

/** Checks, in order: those of both; the owner's standing; that the market trades; the cash. */
export function splitCash(core: Core, command: Split): void {
  const asked = checkSets(core, command);
  if (asked === undefined) return;
  const { account, market } = asked;
  const cost = cashFor(command.lots, ONE_TICKS);
  if (!mayTrade(core, account, core.ledger.accounts[account]!.owner, 'BUY')) return;
  if (!isRunning(core, market) || !isTrading(core, market)) return;
  if (!hasCash(core, account, cost)) return;
  const position = positionOf(core, account, market);
  core.ledger.pay(account, cost);
  for (const outcome of [0, 1] as const) core.positions.receive(position, outcome, command.lots);
  finish(core, asked, command.lots, -cost as Micros); // a whole amount
}

/** Checks, in order: those of both; that it is not halted or resolved; the tokens, YES first. */
export function mergeSets(core: Core, command: Merge): void {
  const asked = checkSets(core, command);
  if (asked === undefined) return;
  const { account, market } = asked;
  const { lots } = command;
  if (!isRunning(core, market)) return;
  if (market.status === RESOLVED) {
    const details = { field: 'conditionId', actual: command.conditionId };
    reject(core, 'market_resolved', details);
    return;
  }
  const position = core.positions.find(account, market.index);
  if (!market.tokens.every((token) => hasTokens(core, position, token, lots))) return;
  for (const outcome of [0, 1] as const) core.positions.deliver(position, outcome, lots);
  core.ledger.receive(account, cashFor(lots, ONE_TICKS));
  finish(core, asked, -lots as Lots, cashFor(lots, ONE_TICKS)); // a whole number of lots
}

interface SetsAsked {
  readonly account: number;
  readonly market: Market;
  readonly movement: Movement;
}

/** Checks, in order: the form of the key; the lots; account and owner; the market; the key. */
function checkSets(core: Core, command: Split | Merge): SetsAsked | undefined {
  const { kind, conditionId, owner, key, lots } = command;
  if (!isMoneyKey(core, key) || !isSetSize(core, lots)) return undefined;
  const account = accountFor(core, command);
  if (account === NONE) return undefined;
  const market = core.marketByCondition.get(conditionId);
  if (market === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return undefined;
  }
  const movement: Movement = {
    command: kind,
    owner,
    key,
    account: command.account,
    subject: conditionId,
    amount: lots,
  };
  return isNewMovement(core, movement) ? { account, market, movement } : undefined;
}

export function isSetSize(core: Core, lots: Lots): boolean {
  const most = core.bounds.orderLots;
  if (isWhole(lots, 1, most)) return true;
  reject(core, 'size_out_of_bounds', { field: 'lots', limit: `1..${most}`, actual: lots });
  return false;
}

/** An account's place for the tokens of a market, made when it has none yet. */
export function positionOf({ positions }: Core, account: number, { index }: Market): number {
  const known = positions.find(account, index);
  return known === NONE ? positions.add(account, index) : known;
}

/** Counts the sets, and remembers and tells what was done; the balances are moved already. */
function finish(core: Core, asked: SetsAsked, splitLots: Lots, amountMicros: Micros): void {
  const { market, movement } = asked;
  const size = Math.abs(splitLots) as Lots; // whole lots
  changeSets(core, market, splitLots);
  checkMarket(core, market);
  rememberMovement(core, movement, { amountMicros, yesLots: size, noLots: size });
  core.events.push({
    kind: 'sets_moved',
    account: movement.account,
    conditionId: market.terms.conditionId,
    splitLots,
    amountMicros,
    key: movement.key,
  });
}
