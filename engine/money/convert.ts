/**
 * Converting NO in m of the n markets of a neg-risk event into cash and YES. At most one of the m
 * resolves to YES, so at least m - 1 of the NO pay: they become cash. The remaining NO pays exactly
 * if one of the other n - m markets resolves to YES: it becomes YES in each of them.
 *
 * Example: n = 3, and 10 NO in each of A and B become 10 in cash and 10 YES in C.
 */

import { accountFor, mayBuy } from '../accounts/open-account.ts';
import { NONE } from '../book/index.ts';
import { type Convert, HALTED, type Lots, type Micros, ONE_TICKS } from '../model/index.ts';
import { isExchangeRunning, tokenFault } from '../state/checks.ts';
import { checkMarket } from '../state/collateral.ts';
import { type EngineState, findOpenedEvent, passes, reject } from '../state/engine-state.ts';
import {
  isKeyWellFormed,
  isNewMovement,
  type Movement,
  rememberMovement,
} from '../state/idempotency.ts';
import type { NegRiskEvent } from '../state/market.ts';
import { ensurePosition, isSetSize } from './move-sets.ts';

/** The markets whose NO is converted, as places in the event. */
interface Selection {
  readonly event: NegRiskEvent;
  readonly places: ReadonlySet<number>;
}

/**
 * Checks, in order: the form of the key; the lots; account and owner; the event; its markets; the
 * key; the owner's standing; that nothing is halted; that it is not resolved; the tokens.
 */
export function convert(state: EngineState, command: Convert): void {
  const { account: address, owner, eventId, conditionIds, key, lots } = command;
  if (!isKeyWellFormed(state, key) || !isSetSize(state, lots)) return;
  const account = accountFor(state, command);
  if (account === NONE) return;
  const event = findOpenedEvent(state, eventId);
  const selection = event && select(state, command, event);
  if (selection === undefined) return;
  const movement: Movement = {
    command: 'convert',
    owner,
    key,
    account: address,
    subject: subjectOf(selection),
    amount: lots,
  };
  if (!isNewMovement(state, movement, command)) return;
  if (!mayBuy(state, account)) return;
  if (!isEventRunning(state, selection.event)) return;
  if (!hasAllTokens(state, account, selection, lots)) return;
  const amountMicros = exchange(state, account, selection, lots);
  const areAllSelected = selection.places.size === selection.event.markets.length;
  const yesLots = areAllSelected ? (0 as Lots) : lots;
  const converted = { account: address, eventId, conditionIds, lots, amountMicros, key };
  state.events.push({ kind: 'converted', ...converted });
  rememberMovement(state, movement, { amountMicros, yesLots, noLots: lots });
}

function select(state: EngineState, command: Convert, event: NegRiskEvent): Selection | undefined {
  const field = 'conditionIds';
  const { length: actual } = command.conditionIds;
  const maximum = event.markets.length;
  if (actual < 1 || actual > maximum) {
    reject(state, 'conversion_malformed', { field, limit: `1..${maximum}`, actual });
    return undefined;
  }
  const places = new Set<number>();
  for (const conditionId of command.conditionIds) {
    const place = event.places.get(conditionId);
    if (place === undefined || places.has(place)) {
      reject(state, 'conversion_malformed', { field, actual: conditionId });
      return undefined;
    }
    places.add(place);
  }
  return { event, places };
}

/** The event and a bit for each of its markets, in hex: short, because keys are kept in memory. */
function subjectOf({ event, places }: Selection): string {
  let mask = 0n;
  for (const place of places) mask |= 1n << BigInt(place);
  return `${event.eventId} ${mask.toString(16)}`;
}

function isEventRunning(state: EngineState, { markets, winner, eventId }: NegRiskEvent): boolean {
  if (!isExchangeRunning(state)) return false;
  const halted = markets.find(({ status }) => status === HALTED);
  if (halted !== undefined) {
    const details = { field: 'conditionIds', actual: halted.terms.conditionId };
    return reject(state, 'market_halted', details);
  }
  if (winner === undefined) return true;
  return reject(state, 'event_resolved', { field: 'eventId', actual: eventId });
}

/** A refusal names the first market, in the event's order, that lacks NO. */
function hasAllTokens(
  state: EngineState,
  account: number,
  { event, places }: Selection,
  lots: Lots,
): boolean {
  return event.markets.every((market, place) => {
    if (!places.has(place)) return true;
    const position = state.positions.find(account, market.index);
    return passes(state, tokenFault(state, position, market.tokens[1], lots));
  });
}

/** Moves the tokens and the cash. Returns the cash. */
function exchange(state: EngineState, account: number, selection: Selection, lots: Lots): Micros {
  const { event, places } = selection;
  const cash = ((places.size - 1) * lots * ONE_TICKS) as Micros; // whole, and locked before
  for (const [place, market] of event.markets.entries()) {
    const position = ensurePosition(state, account, market);
    if (places.has(place)) {
      state.positions.deliver(position, 1, lots);
    } else {
      state.positions.receive(position, 0, lots);
      market.setsLots += lots;
    }
    market.bundlesLots += lots;
    checkMarket(state, market);
  }
  state.ledger.receive(account, cash);
  state.lockedMicros -= cash;
  return cash;
}
