/**
 * The language of scenarios: a sentence becomes a command, and an event becomes a sentence. Orders
 * have labels: `ann2` is another order of the account `ann`, and `ann-safe` is another account of
 * the owner `ann`. `[ms]` before a sentence sets the time. Example: `[100] ann buys 5 YES at 4000`.
 */
import { strict as assert } from 'node:assert';
import type {
  Command,
  EngineEvent,
  Fill,
  Known,
  Outcome,
  PlaceOrder,
  Side,
} from '../../../engine/index.ts';
import { BOUNDS, lots, micros, ticks } from '../../../engine/index.ts';
import {
  accountOf,
  addressOf,
  codeOf,
  FIRST_MARKET,
  labelOf,
  nameOf,
  orderIdOf,
  ownerOf,
  SECOND_MARKET,
  TOKENS,
} from './names.ts';
import { lifeCommandOf, tellLife } from './operator-language.ts';

const MARKETS: Readonly<Record<string, string>> = {
  first: FIRST_MARKET.conditionId,
  second: SECOND_MARKET.conditionId,
};
const OUTCOMES = ['YES', 'NO'] as const;
const ORDER = /^(\S+) (buys|sells) (\d+) (YES[23]?|NO[23]?) at (\d+)((?: \S+)*)$/;
const BUDGET = /^(\S+) buys (YES2?|NO2?) for (\d+) at (\d+) (FOK|FAK)(?: via (\S+))?$/;
const CANCEL_ALL = /^(\S+) cancels all(?: (YES2?|NO2?))?(?: in the (first|second) market)?$/;
const CANCEL = /^(\S+) cancels (.+)$/;
const SWITCH = /^(\S+) (arms|trips) (\d)$/;
/** What one step cancels: the engine's bound. */
const MOST = BOUNDS.cancelsPerCommand;
const TIMED = /^\[(\d+)\] (.+)$/;

export function outcomeName(outcome: Outcome): string {
  return OUTCOMES[outcome];
}

/** The heartbeat id for a digit. */
export function heartbeatOf(digit: number | string): string {
  return `00000000-0000-4000-8000-00000000000${digit}`;
}

/** The text of a pattern's group; '' for a group without a match. */
function part(match: RegExpMatchArray, group: number): string {
  return match[group] ?? '';
}

/** The command of a sentence, and its time if it has one. */
export function readSentence(sentence: string): { timeMs: number; command: Command } {
  const timed = sentence.match(TIMED);
  if (timed === null) return { timeMs: 0, command: commandOf(sentence) };
  return { timeMs: Number(part(timed, 1)), command: commandOf(part(timed, 2)) };
}

function commandOf(text: string): Command {
  if (text === 'time passes') return { kind: 'advance_time' };
  const life = lifeCommandOf(text);
  if (life !== undefined) return life;
  const order = text.match(ORDER);
  if (order !== null) return readOrder(order);
  const budget = text.match(BUDGET);
  if (budget !== null) return readBudget(budget);
  const armed = text.match(SWITCH);
  if (armed !== null) {
    const [owner, heartbeatId] = [addressOf(part(armed, 1)), heartbeatOf(part(armed, 3))];
    if (part(armed, 2) === 'arms') return { kind: 'arm_switch', owner, heartbeatId };
    return { kind: 'trip_switch', owner, heartbeatId, most: MOST };
  }
  const all = text.match(CANCEL_ALL);
  if (all !== null) return readCancelAll(all);
  const cancel = text.match(CANCEL);
  assert(cancel !== null, `unknown sentence: ${text}`);
  const orderIds = part(cancel, 2).split(' ').map(orderIdOf);
  return { kind: 'cancel_orders', owner: addressOf(part(cancel, 1)), orderIds };
}

function readOrder(match: RegExpMatchArray): PlaceOrder {
  const words = part(match, 6).split(' ').slice(1);
  const until = words.indexOf('until');
  const type = words.find((word) => word === 'FOK' || word === 'FAK');
  const early = words.indexOf('early');
  const via = words.indexOf('via');
  const known = words.every(
    (word, index) => /^(FOK|FAK|post-only|until|early|via|\d+)$/.test(word) || index === via + 1,
  );
  assert(known, `unknown word in: ${words}`);
  return placeOrder(part(match, 1), {
    side: part(match, 2) === 'buys' ? 'BUY' : 'SELL',
    lots: lots(Number(part(match, 3))),
    tokenId: TOKENS[part(match, 4)] ?? '',
    priceTicks: ticks(Number(part(match, 5))),
    type: type ?? (until < 0 ? 'GTC' : 'GTD'),
    postOnly: words.includes('post-only'),
    expiresAtMs: until < 0 ? 0 : Number(words[until + 1]),
    earlyEndMs: early < 0 ? 0 : Number(words[early + 1]),
    ...(via < 0 ? {} : { builder: codeOf(words[via + 1] ?? '') }),
  });
}

function readBudget(match: RegExpMatchArray): PlaceOrder {
  return placeOrder(part(match, 1), {
    side: 'BUY',
    tokenId: TOKENS[part(match, 2)] ?? '',
    budgetMicros: micros(Number(part(match, 3))),
    priceTicks: ticks(Number(part(match, 4))),
    type: part(match, 5) === 'FOK' ? 'FOK' : 'FAK',
    ...(match[6] === undefined ? {} : { builder: codeOf(match[6]) }),
  });
}

function readCancelAll(match: RegExpMatchArray): Command {
  const market = part(match, 3);
  return {
    kind: 'cancel_all',
    owner: addressOf(part(match, 1)),
    conditionId: MARKETS[market] ?? '',
    tokenId: TOKENS[part(match, 2)] ?? '',
    step: { most: MOST },
  };
}

/** A GTC order in the first market by the account of the label, with some fields replaced. */
export function placeOrder(label: string, differing: Partial<PlaceOrder>): PlaceOrder {
  const account = accountOf(label);
  return {
    kind: 'place_order',
    orderId: orderIdOf(label),
    account: addressOf(account),
    owner: addressOf(ownerOf(account)),
    tokenId: '11',
    side: 'BUY',
    type: 'GTC',
    postOnly: false,
    priceTicks: ticks(5_000),
    lots: lots(0),
    budgetMicros: micros(0),
    expiresAtMs: 0,
    minimumLeadMs: 1,
    earlyEndMs: 0,
    idCheckedSeq: Number.MAX_SAFE_INTEGER,
    apiKey: '',
    ...differing,
  };
}

/** An event as a sentence with all its values. */
export function tell(event: EngineEvent): string {
  switch (event.kind) {
    case 'order_accepted':
      return `${labelOf(event.orderId)} accepted`;
    case 'fill': {
      const taker = party(event.takerOrderId, event.takerSide, event.takerOutcome);
      const maker = party(event.makerOrderId, event.makerSide, event.makerOutcome);
      const prices = [event.takerPriceTicks, event.makerPriceTicks];
      const parties = `${taker} ${prices[0]}, ${maker} ${prices[1]}`;
      return `${event.match} ${event.lots}: ${parties} (${event.bucket})${tellFees(event)}`;
    }
    case 'order_closed': {
      const filled = `${event.filledLots} for ${event.filledMicros}`;
      const fees = event.feeMicros === undefined ? '' : `, fees ${event.feeMicros}`;
      return `${labelOf(event.orderId)} ${event.reason}, filled ${filled}${fees}`;
    }
    case 'order_delayed':
      return `${labelOf(event.orderId)} delayed until ${event.releaseMs}`;
    case 'order_released':
      return `${labelOf(event.orderId)} released`;
    case 'order_continued':
      return `${labelOf(event.orderId)} continued`;
    case 'level_changed':
      return `${event.side} ${event.priceTicks}: ${event.lots}`;
    case 'rejected': {
      const { kind: _, code, ...details } = event;
      const texts = Object.entries(details)
        .sort(byDetail)
        .map(([name, value]) => `${name} ${value}`);
      return `rejected ${code}: ${texts.join(', ')}`;
    }
    case 'order_duplicate':
      return `${labelOf(event.orderId)} duplicate`;
    case 'switch_armed':
      return `${nameOf(event.owner)} armed ${event.heartbeatId.at(-1)}`;
    case 'switch_tripped':
      return `${nameOf(event.owner)} tripped ${event.heartbeatId.at(-1)}`;
    case 'known':
      return tellKnown(event);
    case 'sets_moved':
    case 'redeemed':
    case 'converted':
    case 'event_opened':
    case 'event_resolved':
    case 'market_resolved':
    case 'trading_state_changed':
    case 'market_changed':
    case 'market_closed':
    case 'builder_changed':
    case 'standing_changed':
      return tellLife(event);
    case 'market_created':
    case 'account_opened':
    case 'cash_moved':
    case 'api_key_issued':
    case 'api_key_revoked':
    case 'notifications_dismissed':
    case 'money_key_indexed':
      return event.kind;
  }
}

/** The charges of taker and maker, each with the builder's part in parentheses. */
function tellFees({ fees }: Fill): string {
  if (fees === undefined) return '';
  const { takerMicros, takerBuilderMicros, makerMicros, makerBuilderMicros } = fees;
  const rates = `${fees.takerFeeBps}/${fees.makerFeeBps}`;
  const part = (micros: number): string => (micros === 0 ? '' : ` (${micros})`);
  const taker = `${takerMicros}${part(takerBuilderMicros)}`;
  return `, fees ${taker} + ${makerMicros}${part(makerBuilderMicros)} at ${rates}`;
}

function tellKnown({ command, amountMicros, yesLots, noLots }: Known): string {
  if (amountMicros === undefined) return `known ${command}`;
  return `known ${command}: ${amountMicros}, ${yesLots} YES, ${noLots} NO`;
}

/** The details of a reject in a fixed order. */
const DETAILS = ['field', 'limit', 'actual', 'asset', 'required', 'available', 'held'];
function byDetail(a: [string, unknown], b: [string, unknown]): number {
  return DETAILS.indexOf(a[0]) - DETAILS.indexOf(b[0]);
}

function party(orderId: string, side: Side, outcome: Outcome): string {
  return `${labelOf(orderId)} ${side} ${outcomeName(outcome)}`;
}
