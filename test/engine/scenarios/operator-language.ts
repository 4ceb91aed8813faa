/**
 * The part of the scenarios' language (language.ts) about the operator, sets and neg-risk events.
 */
import type {
  BuilderChanged,
  Command,
  Converted,
  EventOpened,
  EventResolved,
  FeeSchedule,
  MarketChanged,
  MarketClosed,
  MarketResolved,
  Redeemed,
  SelfTradeMode,
  SetStanding,
  SetsMoved,
  SetTradingState,
  StandingChanged,
  TradingStateChanged,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, lots, micros, ticks } from '../../../engine/index.ts';
import {
  addressOf,
  codeOf,
  EVENT,
  FIRST_MARKET,
  nameOf,
  ownerOf,
  SECOND_MARKET,
  THIRD_MARKET,
  TOKENS,
} from './names.ts';

const STATE = /^the (exchange|first market|second market) is (open|cancel_only|halted)$/;
const SETS = /^(\S+) (splits|merges) (\d+) (YES[23]?)\+NO[23]? as (\S+)$/;
const REDEMPTION = /^(\S+) redeems (YES[23]?)\+NO[23]? as (\S+)$/;
const RESOLUTION = /^the (first market|second market|third market) resolves to (\d+)( for all)?$/;
const OPENING = /^the event opens(?: with none in the (.+))?$/;
const CONVERSION = /^(\S+) converts (\d+) NO of (\S+) as (\S+)$/;
const WINNER = /^the event resolves to the (.+ market)( for all)?$/;
const TICK = /^the (first market|second market|third market) has ticks of (\d+)$/;
const FINER_TICK = /^the (first market|second market|third market) has finer ticks of (\d+)$/;
const DELAY = /^the (first market|second market|third market) delays by (\d+) (s|ms)$/;
const MODE = /^the (first|second) market prevents by (cancel_maker|cancel_taker|cancel_both)$/;
const RATES = /^the (first market|second market) charges (\d+)\/(\d+) with exponent ([012])$/;
const BUILDER = /^the builder (\S+) earns (\d+), (\d+)\/(\d+) for (\S+)$/;
const WITHDRAWAL = /^the operator withdraws (\d+) from (\S+) as (\S+)$/;
const CLOSING = /^the (first market|second market|third market) closes$/;
const STANDING = /^(\S+) is (good|closed_only|banned)$/;
const PLACES: Readonly<Record<string, string>> = {
  exchange: '',
  'first market': FIRST_MARKET.conditionId,
  'second market': SECOND_MARKET.conditionId,
  'third market': THIRD_MARKET.conditionId,
};

function placeName(conditionId: string): string | undefined {
  return Object.keys(PLACES).find((name) => PLACES[name] === conditionId);
}

function placeNames(conditionIds: readonly string[]): string {
  return conditionIds.map((conditionId) => placeName(conditionId)?.split(' ')[0]).join('+');
}

/** The command of a sentence about these subjects; undefined for any other sentence. */
export function lifeCommandOf(text: string): Command | undefined {
  const state = text.match(STATE);
  if (state !== null) {
    const conditionId = PLACES[state[1] ?? ''] ?? '';
    // Safe: the pattern matches only these words.
    return { kind: 'set_trading_state', conditionId, state: state[2] as SetTradingState['state'] };
  }
  const change = changeOf(text);
  if (change !== undefined) return change;
  const sets = text.match(SETS);
  if (sets !== null) {
    const [, account = '', verb, size, token, key = ''] = sets;
    const conditionId = conditionOf(token);
    const acting = { account: addressOf(account), owner: addressOf(ownerOf(account)), key };
    return {
      kind: verb === 'splits' ? 'split' : 'merge',
      ...acting,
      conditionId,
      lots: lots(Number(size)),
    };
  }
  const ending = endOf(text) ?? eventCommandOf(text) ?? feeCommandOf(text);
  if (ending !== undefined) return ending;
  const closing = text.match(CLOSING);
  if (closing !== null) {
    return { kind: 'close_market', conditionId: PLACES[closing[1] ?? ''] ?? '' };
  }
  const standing = text.match(STANDING);
  if (standing === null) return undefined;
  const owner = addressOf(ownerOf(standing[1] ?? ''));
  // Safe: the pattern matches only these words.
  return { kind: 'set_standing', owner, standing: standing[2] as SetStanding['standing'] };
}

function changeOf(text: string): Command | undefined {
  const tick = text.match(TICK);
  if (tick !== null) {
    const conditionId = PLACES[tick[1] ?? ''] ?? '';
    return { kind: 'change_market', conditionId, tickTicks: ticks(Number(tick[2])) };
  }
  const finer = text.match(FINER_TICK);
  if (finer !== null) {
    const conditionId = PLACES[finer[1] ?? ''] ?? '';
    return { kind: 'change_market', conditionId, finerTickTicks: ticks(Number(finer[2])) };
  }
  const delay = text.match(DELAY);
  if (delay !== null) {
    const conditionId = PLACES[delay[1] ?? ''] ?? '';
    const term = delay[3] === 's' ? 'delaySeconds' : 'takerDelayMs';
    return { kind: 'change_market', conditionId, [term]: Number(delay[2]) };
  }
  const mode = text.match(MODE);
  if (mode === null) return undefined;
  const conditionId = PLACES[`${mode[1]} market`] ?? '';
  // Safe: the pattern matches only these words.
  return { kind: 'change_market', conditionId, selfTrade: mode[2] as SelfTradeMode };
}

function endOf(text: string): Command | undefined {
  const resolution = text.match(RESOLUTION);
  if (resolution !== null) {
    const [, place = '', payout, all] = resolution;
    const payoutTicks = ticks(Number(payout));
    const conditionId = PLACES[place] ?? '';
    return { kind: 'resolve_market', conditionId, payoutTicks, redeemAll: all !== undefined };
  }
  const redemption = text.match(REDEMPTION);
  if (redemption === null) return undefined;
  const [, account = '', token, key = ''] = redemption;
  const conditionId = conditionOf(token);
  const owner = addressOf(ownerOf(account));
  return { kind: 'redeem', account: addressOf(account), owner, conditionId, key };
}

function feeCommandOf(text: string): Command | undefined {
  const rates = text.match(RATES);
  if (rates !== null) {
    const [takerFeeBps = 0, makerFeeBps = 0, exponent] = rates.slice(2).map(Number);
    const conditionId = PLACES[rates[1] ?? ''] ?? '';
    // Safe: the pattern matches only these digits.
    const feeExponent = exponent as FeeSchedule['feeExponent'];
    return { kind: 'change_market', conditionId, takerFeeBps, makerFeeBps, feeExponent };
  }
  const builder = text.match(BUILDER);
  if (builder !== null) {
    const [shareBps = 0, takerRateBps = 0, makerRateBps = 0] = builder.slice(2, 5).map(Number);
    const account = addressOf(builder[5] ?? '');
    const terms = { account, shareBps, takerRateBps, makerRateBps };
    return { kind: 'set_builder', builder: codeOf(builder[1] ?? ''), ...terms };
  }
  const withdrawal = text.match(WITHDRAWAL);
  if (withdrawal === null) return undefined;
  const [, amount, name = '', key = ''] = withdrawal;
  const amountMicros = micros(Number(amount));
  const account = name === 'fees' ? FEE_ACCOUNT : addressOf(name);
  return { kind: 'withdraw', account, amountMicros, key };
}

/** The market of a token name. */
function conditionOf(token = 'YES'): string {
  return (
    [FIRST_MARKET, SECOND_MARKET, THIRD_MARKET].find(
      ({ tokenIds }) => tokenIds[0] === TOKENS[token],
    )?.conditionId ?? ''
  );
}

function eventCommandOf(text: string): Command | undefined {
  const opening = text.match(OPENING);
  if (opening !== null) {
    const noneConditionId = PLACES[opening[1] ?? 'exchange'] ?? '';
    return { kind: 'open_event', eventId: EVENT, noneConditionId };
  }
  const winner = text.match(WINNER);
  if (winner !== null) {
    const conditionId = PLACES[winner[1] ?? ''] ?? '';
    return {
      kind: 'resolve_event',
      eventId: EVENT,
      conditionId,
      redeemAll: winner[2] !== undefined,
    };
  }
  const conversion = text.match(CONVERSION);
  if (conversion === null) return undefined;
  const [, account = '', size, names = '', key = ''] = conversion;
  return {
    kind: 'convert',
    account: addressOf(account),
    owner: addressOf(ownerOf(account)),
    eventId: EVENT,
    conditionIds: names.split('+').map((name) => PLACES[`${name} market`] ?? name),
    lots: lots(Number(size)),
    key,
  };
}

type LifeEvent =
  | BuilderChanged
  | SetsMoved
  | Redeemed
  | MarketResolved
  | Converted
  | EventOpened
  | EventResolved
  | TradingStateChanged
  | MarketChanged
  | MarketClosed
  | StandingChanged;

export function tellLife(event: LifeEvent): string {
  switch (event.kind) {
    case 'sets_moved': {
      const { account, conditionId, splitLots, amountMicros, key } = event;
      const what = `${splitLots} sets of ${placeName(conditionId)} for ${amountMicros}`;
      return `${nameOf(account)} ${what} (${key})`;
    }
    case 'trading_state_changed':
      return `${placeName(event.conditionId)} ${event.state}`;
    case 'market_changed': {
      const { conditionId, minimumLots, minimumBudgetMicros, selfTrade } = event;
      const least = `${minimumLots}/${minimumBudgetMicros}`;
      const place = placeName(conditionId);
      const costs = `${tellRates(event)}${tellDelay(event)}`;
      return `${place} ${tellTicks(event)}, least ${least}, ${selfTrade}${costs}`;
    }
    case 'market_resolved':
      return `${placeName(event.conditionId)} resolved to ${event.payoutTicks}`;
    case 'redeemed': {
      const { account, yesLots, noLots, amountMicros, conditionId, key } = event;
      const what = `${yesLots} YES, ${noLots} NO of ${placeName(conditionId)} for ${amountMicros}`;
      return `${nameOf(account)} redeemed ${what} (${key})`;
    }
    case 'event_opened': {
      const none = placeName(event.noneConditionId);
      return `${event.eventId} opened with ${placeNames(event.conditionIds)}, none: ${none}`;
    }
    case 'event_resolved':
      return `${event.eventId} resolved to ${placeName(event.conditionId)}`;
    case 'converted': {
      const { account, conditionIds, amountMicros, key } = event;
      const what = `${event.lots} NO of ${placeNames(conditionIds)} for ${amountMicros}`;
      return `${nameOf(account)} converted ${what} (${key})`;
    }
    case 'market_closed':
      return `${placeName(event.conditionId)} closed`;
    case 'builder_changed': {
      const { account, shareBps, takerRateBps, makerRateBps } = event;
      const rates = `${shareBps}, ${takerRateBps}/${makerRateBps}`;
      return `builder ${nameOf(event.builder)} ${rates} for ${nameOf(account)}`;
    }
    case 'standing_changed':
      return `${nameOf(event.owner)} ${event.standing}`;
  }
}

function tellRates({ takerFeeBps, makerFeeBps, feeExponent }: MarketChanged): string {
  return takerFeeBps + makerFeeBps === 0
    ? ''
    : `, fees ${takerFeeBps}/${makerFeeBps}^${feeExponent}`;
}

function tellTicks({ tickTicks, finerTickTicks }: MarketChanged): string {
  return finerTickTicks === 0 ? `ticks ${tickTicks}` : `ticks ${tickTicks} then ${finerTickTicks}`;
}

function tellDelay({ delaySeconds, takerDelayMs }: MarketChanged): string {
  return delaySeconds + takerDelayMs === 0 ? '' : `, delays ${delaySeconds} s ${takerDelayMs} ms`;
}
