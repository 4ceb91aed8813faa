/** The staircases of the operator: trading states, terms, closing, standings. */
import type { Test } from 'tap';
import type {
  ChangeMarket,
  CloseMarket,
  CreateMarket,
  IssueApiKey,
  PlaceOrder,
  SetStanding,
  SetTradingState,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { MakeEngine } from '../engines.ts';
import { DrawnBook, MARKET } from '../scenarios/drawn-book.ts';
import { heartbeatOf, placeOrder } from '../scenarios/language.ts';
import { addressOf, FIRST_MARKET } from '../scenarios/names.ts';
import { climb, no, type Staircase } from './staircase.ts';

const { conditionId } = FIRST_MARKET;

function tradingState(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  const start: SetTradingState = {
    kind: 'set_trading_state',
    conditionId: '0x9',
    // The cast admits a value that the type forbids, because its refusal is tested.
    state: 'closed' as SetTradingState['state'],
  };
  const known = { kind: 'known', command: 'set_trading_state' } as const;
  climb<SetTradingState>(t, book, start, [
    [{}, no('trading_state_malformed', { field: 'state', actual: 'closed' })],
    [{ state: 'open' }, no('market_unknown', { field: 'conditionId', actual: '0x9' })],
    [{ conditionId }, known],
    [{ state: 'halted' }, 'done'],
    [{}, known],
    [{ state: 'cancel_only' }, 'done'],
    [{ conditionId: '' }, 'done'],
    [{}, known],
    [{ state: 'open' }, 'done'],
  ]);
}

function change(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  const start: ChangeMarket = { kind: 'change_market', conditionId: '' };
  const limit =
    'tickTicks,minimumLots,minimumBudgetMicros,selfTrade,takerFeeBps,makerFeeBps,feeExponent,' +
    'delaySeconds,takerDelayMs,finerTickTicks';
  const fault = (field: string, actual: number | string) =>
    no('market_malformed', { field, actual });
  const known = { kind: 'known', command: 'change_market' } as const;
  climb<ChangeMarket>(t, book, start, [
    [{}, no('market_unknown', { field: 'conditionId', actual: '' })],
    [{ conditionId }, no('market_malformed', { field: 'terms', limit, actual: '' })],
    [{ tickTicks: ticks(20), minimumLots: lots(0) }, fault('tickTicks', 20)],
    [{ tickTicks: ticks(25) }, fault('minimumLots', 0)],
    [{ minimumLots: lots(5), minimumBudgetMicros: micros(-1) }, fault('minimumBudgetMicros', -1)],
    // The cast admits a value that the type forbids, because its refusal is tested.
    [
      { minimumBudgetMicros: micros(9), selfTrade: 'allow' as ChangeMarket['selfTrade'] & string },
      fault('selfTrade', 'allow'),
    ],
    [{ selfTrade: 'cancel_both' }, 'done'],
    [{}, known],
  ]);
  const [market] = [...book.engine.state().markets];
  t.match(market, {
    tickTicks: 25,
    minimumLots: 5,
    minimumBudgetMicros: 9,
    selfTrade: 'cancel_both',
  });
  climb<CreateMarket>(t, book, { ...MARKET, ...FIRST_MARKET }, [
    [{}, { kind: 'known', command: 'create_market' }],
    [{ tickTicks: ticks(25) }, no('market_exists', { field: 'conditionId', actual: conditionId })],
  ]);
  book.say('the first market closes');
  climb<ChangeMarket>(t, book, { ...start, conditionId }, [
    [{}, no('market_closed', { field: 'conditionId', actual: conditionId })],
  ]);
}

function closing(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  const start: CloseMarket = { kind: 'close_market', conditionId: '' };
  const closed = no('market_closed', { field: 'conditionId', actual: conditionId });
  climb<CloseMarket>(t, book, start, [
    [{}, no('market_unknown', { field: 'conditionId', actual: '' })],
    [{ conditionId }, 'done'],
    [{}, { kind: 'known', command: 'close_market' }],
  ]);
  climb<SetTradingState>(t, book, { kind: 'set_trading_state', conditionId, state: 'open' }, [
    [{}, closed],
    [{ state: 'halted' }, closed],
  ]);
  climb<PlaceOrder>(t, book, placeOrder('ann', { priceTicks: ticks(5) }), [[{}, closed]]);
}

function standing(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { bounds: { standings: 1 } });
  const [owner, newcomer] = [addressOf('ann'), addressOf('newcomer')];
  const start: SetStanding = {
    kind: 'set_standing',
    owner: 'ann',
    // The cast admits a value that the type forbids, because its refusal is tested.
    standing: 'bad' as SetStanding['standing'],
  };
  const known = { kind: 'known', command: 'set_standing' } as const;
  climb<SetStanding>(t, book, start, [
    [{}, no('address_malformed', { field: 'owner', actual: 'ann' })],
    [{ owner: newcomer }, no('standing_malformed', { field: 'standing', actual: 'bad' })],
    [{ standing: 'good' }, known],
    [{ standing: 'closed_only' }, 'done'],
    [{}, known],
    [{ standing: 'banned' }, 'done'],
    [{ owner }, no('too_many_standings', { field: 'owner', limit: 1, actual: 1 })],
    [{ standing: 'good' }, known],
  ]);
  const key: IssueApiKey = {
    kind: 'issue_api_key',
    owner: newcomer,
    nonce: '0',
    apiKey: heartbeatOf(1),
    purpose: 'trading',
  };
  const banned = no('owner_banned', { field: 'owner', actual: newcomer });
  climb<IssueApiKey>(t, book, key, [
    [{}, banned],
    [{ owner }, 'done'],
    [{ owner: newcomer }, no('api_key_reused', { field: 'apiKey', actual: heartbeatOf(1) })],
    [{ apiKey: heartbeatOf(2) }, banned],
  ]);
}

/** The standing is checked before the token, the token before the pause, the pause before terms. */
function order(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  const newcomer = addressOf('newcomer');
  book.say('the exchange is cancel_only');
  book.say('the first market is halted');
  book.say('ann is closed_only');
  book.say('newcomer is banned');
  const opens = { wallet: 'eoa', paperMicros: 9 } as NonNullable<PlaceOrder['opens']>; // whole
  const start = placeOrder('newcomer', { tokenId: '99', priceTicks: ticks(5), opens });
  const ann = { account: addressOf('ann'), owner: addressOf('ann') };
  climb<PlaceOrder>(t, book, start, [
    [{}, no('owner_banned', { field: 'owner', actual: newcomer })],
    [{ ...ann }, no('owner_closed_only', { field: 'owner', actual: addressOf('ann') })],
    [{ side: 'SELL' }, no('token_unknown', { field: 'tokenId', actual: '99' })],
    [{ tokenId: '11' }, no('exchange_paused', { field: 'state', actual: 'cancel_only' })],
  ]);
  // Also when the owner has an account, the ban is the first reason.
  book.apply({ kind: 'open_account', address: newcomer, owner: newcomer, ...opens });
  climb<PlaceOrder>(t, book, start, [
    [{}, no('owner_banned', { field: 'owner', actual: newcomer })],
  ]);
  book.say('the exchange is open');
  const priced = { field: 'priceTicks', limit: '100..9900', actual: 5 };
  climb<PlaceOrder>(t, book, { ...start, ...ann, side: 'SELL', tokenId: '11' }, [
    [{}, no('market_paused', { field: 'tokenId', actual: 'halted' })],
    [{ tokenId: '21' }, no('price_out_of_bounds', priced)],
    [
      { priceTicks: ticks(5_000), lots: lots(1) },
      no('not_enough_tokens', {
        field: 'account',
        asset: '21',
        required: 1,
        available: 0,
        held: 0,
      }),
    ],
    [{ account: addressOf('bob'), owner: addressOf('bob'), side: 'BUY' }, 'done'],
  ]);
}

export const LIFE_STAIRCASES: readonly Staircase[] = [
  ['a trading state, from its name to the current state', tradingState],
  ['changed terms, from the market to the current terms', change],
  ['closing, and what a closed market refuses', closing],
  ['a standing, from its owner to the bound', standing],
  ['an order during a pause', order],
];
