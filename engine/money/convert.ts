/**
 * Converting NO in m of the n markets of a neg-risk event: at most one of the m resolves to YES, so
 * m - 1 of the NO are cash already, and the last one is YES in each of the others (design 5).
 */

import { accountFor, mayTrade } from '../accounts/index.ts';
import { NONE } from '../book/index.ts';
import type { Convert } from '../model/index.ts';
import { HALTED, type Lots, type Micros, ONE_TICKS } from '../model/index.ts';
import {
  type Core,
  checkMarket,
  hasTokens,
  isExchangeRunning,
  isMoneyKey,
  isNewMovement,
  type Movement,
  type NegRiskEvent,
  openedEvent,
  reject,
  rememberMovement,
} from '../state/index.ts';
import { isSetSize, positionOf } from './move-sets.ts';

/** What is converted: the place of each named market among the event's. */
interface Selection {
  readonly event: NegRiskEvent;
  readonly places: ReadonlySet<number>;
}

/**
 * Checks, in order: the form of the key; the lots; account and owner; the event; its markets; the
 * key; the owner's standing; that nothing is halted; that it is not resolved; the tokens.
 */
export function convert(core: Core, command: Convert): void {
  const { owner, key, lots } = command;
  if (!isMoneyKey(core, key) || !isSetSize(core, lots)) return;
  const account = accountFor(core, command);
  if (account === NONE) return;
  const event = openedEvent(core, command.eventId);
  const selection = event && select(core, command, event);
  if (selection === undefined) return;
  const movement: Movement = {
    command: 'convert',
    owner,
    key,
    account: command.account,
    subject: subjectOf(selection),
    amount: lots,
  };
  if (!isNewMovement(core, movement)) return;
  if (!mayTrade(core, account, core.ledger.accounts[account]!.owner, 'BUY')) return;
  if (!isEventRunning(core, selection.event)) return;
  if (!hasAll(core, account, selection, lots)) return;
  const amountMicros = exchange(core, account, selection, lots);
  const isEach = selection.places.size === selection.event.markets.length;
  const yesLots = isEach ? (0 as Lots) : lots;
  rememberMovement(core, movement, { amountMicros, yesLots, noLots: lots });
  const { account: address, eventId, conditionIds } = command;
  const converted = { account: address, eventId, conditionIds, lots, amountMicros, key };
  core.events.push({ kind: 'converted', ...converted });
}

/** The named markets; says what is wrong with them. */
function select(core: Core, command: Convert, event: NegRiskEvent): Selection | undefined {
  const field = 'conditionIds';
  const { length: actual } = command.conditionIds;
  const most = event.markets.length;
  if (actual < 1 || actual > most) {
    reject(core, 'conversion_malformed', { field, limit: `1..${most}`, actual });
    return undefined;
  }
  const places = new Set<number>();
  for (const conditionId of command.conditionIds) {
    const place = event.places.get(conditionId);
    if (place === undefined || places.has(place)) {
      reject(core, 'conversion_malformed', { field, actual: conditionId });
      return undefined;
    }
    places.add(place);
  }
  return { event, places };
}

/** The event, and its markets as bits in hex, so that a key remembers few characters. */
function subjectOf({ event, places }: Selection): string {
  let mask = 0n;
  for (const place of places) mask |= 1n << BigInt(place);
  return `${event.eventId} ${mask.toString(16)}`;
}

function isEventRunning(core: Core, event: NegRiskEvent): boolean {
  if (!isExchangeRunning(core)) return false;
  const halted = event.markets.find(({ status }) => status === HALTED);
  if (halted !== undefined) {
    const actual = halted.terms.conditionId;
    reject(core, 'market_halted', { field: 'conditionIds', actual });
    return false;
  }
  if (event.winner === undefined) return true;
  reject(core, 'event_resolved', { field: 'eventId', actual: event.eventId });
  return false;
}

/** The first market of the event that lacks NO is told. */
function hasAll(core: Core, account: number, selection: Selection, lots: Lots): boolean {
  return selection.event.markets.every((market, place) => {
    if (!selection.places.has(place)) return true;
    const position = core.positions.find(account, market.index);
    return hasTokens(core, position, market.tokens[1], lots);
  });
}

/** NO for cash and YES; returns the cash. */
function exchange(core: Core, account: number, selection: Selection, lots: Lots): Micros {
  const { event, places } = selection;
  const cash = ((places.size - 1) * lots * ONE_TICKS) as Micros; // whole, and locked before
  for (const [place, market] of event.markets.entries()) {
    const position = positionOf(core, account, market);
    if (places.has(place)) {
      core.positions.deliver(position, 1, lots);
    } else {
      core.positions.receive(position, 0, lots);
      market.setsLots += lots;
    }
    market.bundlesLots += lots;
    checkMarket(core, market);
  }
  core.ledger.receive(account, cash);
  core.lockedMicros -= cash;
  return cash;
}
