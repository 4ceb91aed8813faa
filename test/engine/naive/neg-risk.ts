/**
 * Neg-risk events in the naive engine: opening, conversion and resolution, each with its check and
 * its effect.
 */
import { strict as assert } from 'node:assert';
import type {
  Answer,
  Convert,
  EngineEvent,
  OpenEvent,
  Rejected,
  ResolveEvent,
} from '../../../engine/index.ts';
import { lots, micros } from '../../../engine/index.ts';
import { known, reject } from './answers.ts';
import { checkRunning } from './operator.ts';
import { redeemEverybody, resolve } from './resolution.ts';
import {
  addCash,
  addTokens,
  checkHolder,
  checkKey,
  checkKeyForm,
  checkSize,
  checkSplitter,
  checkTokens,
} from './sets.ts';
import type { NaiveEvent, NaiveMarket, NaiveState } from './state.ts';
import { eventAt, marketsOfEvent } from './state.ts';

export function checkOpening(state: NaiveState, command: OpenEvent): Answer | undefined {
  const { eventId, noneConditionId } = command;
  const markets = marketsOfEvent(state, eventId);
  const ofNone = { field: 'noneConditionId', actual: noneConditionId };
  if (markets.length === 0) {
    return reject('event_unknown', { field: 'eventId', actual: eventId });
  }
  const event = eventAt(state, eventId);
  if (event !== undefined) {
    const isSame = event.noneConditionId === noneConditionId;
    return isSame ? known(command) : reject('event_sealed', ofNone);
  }
  for (const { terms } of markets) {
    if (terms.negRisk) continue;
    return reject('event_malformed', { field: 'negRisk', actual: terms.conditionId });
  }
  const limit = `2..${state.bounds.marketsPerEvent}`;
  if (markets.length < 2 || markets.length > state.bounds.marketsPerEvent) {
    return reject('event_malformed', { field: 'conditionIds', limit, actual: markets.length });
  }
  for (const { terms, status } of markets) {
    if (status !== 'resolved') continue;
    return reject('event_malformed', { field: 'conditionIds', actual: terms.conditionId });
  }
  const candidates = ['', ...markets.map(({ terms }) => terms.conditionId)];
  return candidates.includes(noneConditionId) ? undefined : reject('event_malformed', ofNone);
}

export function openEvent(state: NaiveState, command: OpenEvent): EngineEvent[] {
  const { eventId, noneConditionId } = command;
  const markets = marketsOfEvent(state, eventId);
  state.events.push({ eventId, noneConditionId, markets, bundlesLots: 0, winner: undefined });
  const conditionIds = markets.map(({ terms }) => terms.conditionId);
  return [{ kind: 'event_opened', eventId, conditionIds, noneConditionId }];
}

/** The refusal for an event that is not open. */
function checkOpened(state: NaiveState, eventId: string): Rejected | undefined {
  if (eventAt(state, eventId) !== undefined) return undefined;
  const exists = marketsOfEvent(state, eventId).length > 0;
  const details = { field: 'eventId', actual: eventId };
  return reject(exists ? 'event_not_sealed' : 'event_unknown', details);
}

export function checkConversion(state: NaiveState, command: Convert): Answer | undefined {
  const { account, eventId, lots: size } = command;
  const early =
    checkKeyForm(command) ??
    checkSize(state, size) ??
    checkHolder(state, command) ??
    checkOpened(state, eventId);
  const event = eventAt(state, eventId);
  if (early !== undefined || event === undefined) return early;
  const wrong = checkSelection(event, command.conditionIds);
  if (wrong !== undefined) return wrong;
  const given = giving(event, command);
  const bits = event.markets.map((market) => (given.includes(market) ? '1' : '0'));
  const mask = BigInt(`0b${bits.reverse().join('')}`).toString(16);
  const asked = { command: 'convert', subject: `${eventId} ${mask}`, amount: size } as const;
  const halted = event.markets.find(({ status }) => status === 'halted');
  const refusal =
    checkKey(state, command, asked) ?? checkSplitter(state, account) ?? checkRunning(state);
  if (refusal !== undefined) return refusal;
  if (halted !== undefined) {
    return reject('market_halted', { field: 'conditionIds', actual: halted.terms.conditionId });
  }
  if (event.winner !== undefined) {
    return reject('event_resolved', { field: 'eventId', actual: eventId });
  }
  const lacking = given.map(({ terms }) => checkTokens(state, account, terms.tokenIds[1], size));
  return lacking.find((one) => one !== undefined);
}

function checkSelection(event: NaiveEvent, conditionIds: readonly string[]): Rejected | undefined {
  const field = 'conditionIds';
  const { length } = event.markets;
  if (conditionIds.length === 0 || conditionIds.length > length) {
    const details = { field, limit: `1..${length}`, actual: conditionIds.length };
    return reject('conversion_malformed', details);
  }
  const all = event.markets.map(({ terms }) => terms.conditionId);
  const wrong = conditionIds.find(
    (conditionId, index) =>
      !all.includes(conditionId) || conditionIds.indexOf(conditionId) !== index,
  );
  if (wrong === undefined) return undefined;
  return reject('conversion_malformed', { field, actual: wrong });
}

/** The markets whose NO is converted. */
function giving(event: NaiveEvent, { conditionIds }: Convert): NaiveMarket[] {
  return event.markets.filter(({ terms }) => conditionIds.includes(terms.conditionId));
}

export function convert(state: NaiveState, command: Convert): EngineEvent[] {
  const { account, owner, eventId, conditionIds, lots: size, key } = command;
  const event = eventAt(state, eventId);
  assert(event !== undefined);
  const given = giving(event, command);
  const taken = event.markets.filter((market) => !given.includes(market));
  for (const { terms } of given) addTokens(state, account, terms.tokenIds[1], -size);
  for (const market of taken) {
    addTokens(state, account, market.terms.tokenIds[0], size);
    market.setsLots += size;
  }
  event.bundlesLots += size;
  const amountMicros = micros(given.length * size * 10_000 - size * 10_000);
  addCash(state, account, amountMicros);
  const mask = event.markets.reduce(
    (sum, market, place) => sum + (given.includes(market) ? 2n ** BigInt(place) : 0n),
    0n,
  );
  state.idempotencyKeys.push({
    command: 'convert',
    owner,
    key,
    account,
    subject: `${eventId} ${mask.toString(16)}`,
    amount: size,
    amountMicros,
    yesLots: taken.length > 0 ? size : lots(0),
    noLots: size,
  });
  return [{ kind: 'converted', account, eventId, conditionIds, lots: size, amountMicros, key }];
}

export function checkWinner(state: NaiveState, command: ResolveEvent): Answer | undefined {
  const { eventId, conditionId } = command;
  const event = eventAt(state, eventId);
  if (event === undefined) return checkOpened(state, eventId);
  const details = { field: 'conditionId', actual: conditionId };
  const winner = event.markets.find(({ terms }) => terms.conditionId === conditionId);
  if (winner === undefined) return reject('event_malformed', details);
  if (event.winner === undefined) return undefined;
  return event.winner === winner ? known(command) : reject('event_resolved', details);
}

export function resolveEvent(state: NaiveState, command: ResolveEvent): EngineEvent[] {
  const { eventId, conditionId, redeemAll } = command;
  const event = eventAt(state, eventId);
  assert(event !== undefined);
  event.winner = event.markets.find(({ terms }) => terms.conditionId === conditionId);
  event.bundlesLots = 0;
  const events = event.markets.map((market) =>
    resolve(market, market === event.winner ? 10_000 : 0),
  );
  if (redeemAll) for (const market of event.markets) redeemEverybody(state, market);
  return [...events, { kind: 'event_resolved', eventId, conditionId }];
}
