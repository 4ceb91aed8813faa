/**
 * The sentences of scenarios about markets' lives and about sets, and what they bring about, both
 * ways: they belong to the little language of drawn-commands.ts.
 */
import type {
  Command,
  MarketChanged,
  MarketClosed,
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

type LifeEvent = SetsMoved | TradingStateChanged | MarketChanged | MarketClosed | StandingChanged;

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
    case 'market_closed':
      return `${placeName(event.conditionId)} closed`;
    case 'standing_changed':
      return `${nameOf(event.owner)} ${event.standing}`;
  }
}
