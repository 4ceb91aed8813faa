/**
 * The sentences of scenarios about markets' lives and about sets, and what they bring about, both
 * ways: they belong to the little language of drawn-commands.ts.
 */
import type {
  Command,
  MarketChanged,
  MarketClosed,
  MarketResolved,
  Redeemed,
  SetStanding,
  SetsMoved,
  SetTradingState,
  StandingChanged,
  TradingStateChanged,
} from '../../engine/index.ts';
import { lots, ticks } from '../../engine/index.ts';
import { addressOf, FIRST_MARKET, nameOf, ownerOf, SECOND_MARKET } from './drawn-names.ts';

const STATE = /^the (exchange|first market|second market) is (open|cancel_only|halted)$/;
const SETS = /^(\S+) (splits|merges) (\d+) (YES2?)\+NO2? as (\S+)$/;
const REDEMPTION = /^(\S+) redeems (YES2?)\+NO2? as (\S+)$/;
const RESOLUTION = /^the (first market|second market) resolves to (\d+)( for all)?$/;
const TICK = /^the (first market|second market) has ticks of (\d+)$/;
const CLOSING = /^the (first market|second market) closes$/;
const STANDING = /^(\S+) is (good|closed_only|banned)$/;
const PLACES: Readonly<Record<string, string>> = {
  exchange: '',
  'first market': FIRST_MARKET.conditionId,
  'second market': SECOND_MARKET.conditionId,
};

const placeName = (conditionId: string): string | undefined =>
  Object.keys(PLACES).find((name) => PLACES[name] === conditionId);

/** undefined for a sentence that is none of these. */
export function lifeCommandOf(text: string): Command | undefined {
  const state = text.match(STATE);
  if (state !== null) {
    const conditionId = PLACES[state[1] ?? ''] ?? '';
    // Safe: the pattern lets in only these words.
    return { kind: 'set_trading_state', conditionId, state: state[2] as SetTradingState['state'] };
  }
  const tick = text.match(TICK);
  if (tick !== null) {
    const conditionId = PLACES[tick[1] ?? ''] ?? '';
    return { kind: 'change_market', conditionId, tickTicks: ticks(Number(tick[2])) };
  }
  const sets = text.match(SETS);
  if (sets !== null) {
    const [, account = '', verb, size, token, key = ''] = sets;
    const { conditionId } = token === 'YES' ? FIRST_MARKET : SECOND_MARKET;
    const acting = { account: addressOf(account), owner: addressOf(ownerOf(account)), key };
    return {
      kind: verb === 'splits' ? 'split' : 'merge',
      ...acting,
      conditionId,
      lots: lots(Number(size)),
    };
  }
  const ending = endOf(text);
  if (ending !== undefined) return ending;
  const closing = text.match(CLOSING);
  if (closing !== null) {
    return { kind: 'close_market', conditionId: PLACES[closing[1] ?? ''] ?? '' };
  }
  const standing = text.match(STANDING);
  if (standing === null) return undefined;
  const owner = addressOf(ownerOf(standing[1] ?? ''));
  // Safe: the pattern lets in only these words.
  return { kind: 'set_standing', owner, standing: standing[2] as SetStanding['standing'] };
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
  const { conditionId } = token === 'YES' ? FIRST_MARKET : SECOND_MARKET;
  const owner = addressOf(ownerOf(account));
  return { kind: 'redeem', account: addressOf(account), owner, conditionId, key };
}

type LifeEvent =
  | SetsMoved
  | Redeemed
  | MarketResolved
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
      const { conditionId, tickTicks, minimumLots, minimumBudgetMicros, selfTrade } = event;
      const least = `${minimumLots}/${minimumBudgetMicros}`;
      return `${placeName(conditionId)} ticks ${tickTicks}, least ${least}, ${selfTrade}`;
    }
    case 'market_resolved':
      return `${placeName(event.conditionId)} resolved to ${event.payoutTicks}`;
    case 'redeemed': {
      const { account, yesLots, noLots, amountMicros, conditionId, key } = event;
      const what = `${yesLots} YES, ${noLots} NO of ${placeName(conditionId)} for ${amountMicros}`;
      return `${nameOf(account)} redeemed ${what} (${key})`;
    }
    case 'market_closed':
      return `${placeName(event.conditionId)} closed`;
    case 'standing_changed':
      return `${nameOf(event.owner)} ${event.standing}`;
  }
}
