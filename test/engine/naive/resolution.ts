/** Resolution and redemption in the naive engine, each with its check and its effect. */
import { strict as assert } from 'node:assert';
import type { Answer, EngineEvent, Redeem, ResolveMarket } from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import { known, reject } from './answers.ts';
import { checkRunning } from './operator.ts';
import { checkHolder, checkKey, checkKeyForm } from './sets.ts';
import type { NaiveAccount, NaiveMarket, NaiveState } from './state.ts';
import { accountAt, eventAt, marketAt, marketsOfEvent, worthOf } from './state.ts';

export function checkResolution(state: NaiveState, command: ResolveMarket): Answer | undefined {
  const { conditionId, payoutTicks } = command;
  if (!Number.isSafeInteger(payoutTicks) || payoutTicks < 0 || payoutTicks > 10_000) {
    const details = { field: 'payoutTicks', limit: '0..10000', actual: payoutTicks };
    return reject('payout_out_of_bounds', details);
  }
  const market = marketAt(state, conditionId);
  if (market === undefined) {
    return reject('market_unknown', { field: 'conditionId', actual: conditionId });
  }
  const { eventId } = market.terms;
  const siblings = marketsOfEvent(state, eventId);
  const isOpened = eventAt(state, eventId) !== undefined;
  const canOpen =
    siblings.every(({ terms, status }) => terms.negRisk && status !== 'resolved') &&
    siblings.length >= 2 &&
    siblings.length <= state.bounds.marketsPerEvent;
  if (isOpened || canOpen) {
    return reject('market_of_event', { field: 'conditionId', actual: eventId });
  }
  if (market.payoutTicks === undefined) return undefined;
  if (market.payoutTicks === payoutTicks) return known(command);
  const details = { field: 'payoutTicks', limit: market.payoutTicks, actual: payoutTicks };
  return reject('market_resolved', details);
}

export function resolveMarket(
  state: NaiveState,
  { conditionId, payoutTicks, redeemAll }: ResolveMarket,
): EngineEvent[] {
  const market = marketAt(state, conditionId);
  assert(market !== undefined);
  const resolved = resolve(market, payoutTicks);
  if (redeemAll) redeemEverybody(state, market);
  return [resolved];
}

export function resolve(market: NaiveMarket, payout: number): EngineEvent {
  const { conditionId } = market.terms;
  market.status = 'resolved';
  market.payoutTicks = payout;
  market.setsLots = 0;
  return { kind: 'market_resolved', conditionId, payoutTicks: ticks(payout) };
}

export function redeemEverybody(state: NaiveState, market: NaiveMarket): void {
  if (holdersOf(state, market).length > 0) state.redeeming.push(market);
}

/** The accounts that have tokens of a market, in order of opening. */
function holdersOf({ accounts }: NaiveState, market: NaiveMarket): NaiveAccount[] {
  return accounts.filter((account) => {
    const { yes, no } = worthOf(account, market);
    return yes > 0 || no > 0;
  });
}

export function areRedemptionsDue({ redeeming, tradingState }: NaiveState): boolean {
  return redeeming.length > 0 && tradingState !== 'halted';
}

export function redeemDue(state: NaiveState): EngineEvent[] {
  if (!areRedemptionsDue(state)) return [];
  return state.redeeming
    .flatMap((market) => holdersOf(state, market).map((account) => ({ account, market })))
    .slice(0, state.bounds.redemptionsPerCommand)
    .map(({ account, market }) => pay(state, account, market, ''));
}

export function checkRedemption(state: NaiveState, command: Redeem): Answer | undefined {
  const { conditionId } = command;
  const market = marketAt(state, conditionId);
  const account = accountAt(state, command.account);
  const ofMarket = { field: 'conditionId', actual: conditionId };
  const early = checkKeyForm(command) ?? checkHolder(state, command);
  if (early !== undefined || account === undefined) return early;
  if (market === undefined) return reject('market_unknown', ofMarket);
  const asked = { command: 'redeem', subject: conditionId, amount: 0 } as const;
  const late = checkKey(state, command, asked) ?? checkRunning(state);
  if (late !== undefined) return late;
  if (market.status !== 'resolved') return reject('market_not_resolved', ofMarket);
  if (holdersOf(state, market).includes(account)) return undefined;
  return reject('nothing_to_redeem', { field: 'account', actual: command.account });
}

export function redeem(state: NaiveState, command: Redeem): EngineEvent[] {
  const { account: address, owner, conditionId, key } = command;
  const market = marketAt(state, conditionId);
  const account = accountAt(state, address);
  assert(market !== undefined && account !== undefined);
  const { yes, no, amount } = worthOf(account, market);
  state.idempotencyKeys.push({
    command: 'redeem',
    owner,
    key,
    account: address,
    subject: conditionId,
    amount: 0,
    amountMicros: micros(amount),
    yesLots: lots(yes),
    noLots: lots(no),
  });
  return [pay(state, account, market, key)];
}

function pay(
  state: NaiveState,
  account: NaiveAccount,
  market: NaiveMarket,
  key: string,
): EngineEvent {
  const { yes, no, amount } = worthOf(account, market);
  for (const tokenId of market.terms.tokenIds) account.tokens.set(tokenId, 0);
  account.cashMicros += amount;
  state.redeeming = state.redeeming.filter((waiting) => holdersOf(state, waiting).length > 0);
  return {
    kind: 'redeemed',
    account: account.terms.address,
    conditionId: market.terms.conditionId,
    yesLots: lots(yes),
    noLots: lots(no),
    amountMicros: micros(amount),
    key,
  };
}
