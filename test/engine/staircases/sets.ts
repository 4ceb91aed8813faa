/** The staircases of sets, resolution, redemption and neg-risk events. */
import type { Test } from 'tap';
import type {
  Convert,
  CreateMarket,
  Merge,
  OpenEvent,
  Redeem,
  ResolveEvent,
  ResolveMarket,
  Split,
} from '../../../engine/index.ts';
import { lots, micros, ticks } from '../../../engine/index.ts';
import type { MakeEngine } from '../engines.ts';
import { DrawnBook, MARKET } from '../scenarios/drawn-book.ts';
import { addressOf, EVENT, FIRST_MARKET, SECOND_MARKET } from '../scenarios/names.ts';
import { climb, no, type Staircase } from './staircase.ts';

const NOBODY = addressOf('nobody');
const [ann, bob] = [addressOf('ann'), addressOf('bob')];
const { conditionId } = FIRST_MARKET;
const { conditionId: other } = SECOND_MARKET;
const SIZES = { field: 'lots', limit: '1..100000000000' };
/** The cash of each account of a drawn book after paying for its tokens. */
const CASH_MICROS = 900_000_000;

function split(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  book.say('ann splits 1 YES+NO as k1');
  book.say('ann buys 100 YES at 4000');
  book.say('bob is banned');
  book.say('the first market is halted');
  book.say('the exchange is halted');
  const start: Split = {
    kind: 'split',
    account: NOBODY,
    owner: bob,
    conditionId: '0x9',
    lots: lots(0.5),
    key: 'a b',
  };
  const done = { amountMicros: micros(-10_000), yesLots: lots(1), noLots: lots(1) };
  climb<Split>(t, book, start, [
    [{}, no('money_key_malformed', { field: 'key', actual: 'a b' })],
    [{ key: 'k1' }, no('size_out_of_bounds', { ...SIZES, actual: 0.5 })],
    [{ lots: lots(1) }, no('account_unknown', { field: 'account', actual: NOBODY })],
    [{ account: ann }, no('account_not_yours', { field: 'account', actual: ann })],
    [{ owner: ann }, no('market_unknown', { field: 'conditionId', actual: '0x9' })],
    [{ conditionId: other }, no('money_key_reused', { field: 'key', actual: 'k1' })],
    [{ conditionId }, { kind: 'known', command: 'split', ...done }],
    [{ account: bob, owner: bob }, no('owner_banned', { field: 'owner', actual: bob })],
    [{ owner: '' }, no('owner_banned', { field: 'owner', actual: bob })],
    [{ account: ann }, no('exchange_halted', { field: 'state', actual: 'halted' })],
  ]);
  book.say('the exchange is cancel_only');
  const last: Split = { ...start, account: ann, owner: ann, conditionId, key: 'k2' };
  climb<Split>(t, book, { ...last, lots: lots(90_000) }, [
    [{}, no('market_halted', { field: 'conditionId', actual: conditionId })],
  ]);
  book.say('the first market closes');
  const available = CASH_MICROS - 10_000;
  const cash = { field: 'account', asset: 'cash', required: CASH_MICROS, available, held: 0 };
  climb<Split>(t, book, { ...last, lots: lots(90_000) }, [
    [{}, no('market_closed', { field: 'conditionId', actual: conditionId })],
    [{ conditionId: other }, no('not_enough_cash', cash)],
    [{ lots: lots(89_999) }, 'done'],
  ]);
}

function merge(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  book.say('ann sells 9990 YES at 9000');
  book.say('ann2 sells 9995 NO at 9000');
  const start: Merge = {
    kind: 'merge',
    account: ann,
    owner: bob,
    conditionId,
    lots: lots(11),
    key: 'k1',
  };
  const lacking = { field: 'account', required: 11 };
  climb<Merge>(t, book, start, [
    [{}, no('account_not_yours', { field: 'account', actual: ann })],
    [
      { owner: ann },
      no('not_enough_tokens', { ...lacking, asset: '11', available: 10, held: 9_990 }),
    ],
    [
      { lots: lots(6) },
      no('not_enough_tokens', { ...lacking, required: 6, asset: '12', available: 5, held: 9_995 }),
    ],
    [{ lots: lots(5) }, 'done'],
    [
      { owner: '' },
      no('not_enough_tokens', { ...lacking, required: 5, asset: '12', available: 0, held: 9_995 }),
    ],
  ]);
}

function resolution(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  const start: ResolveMarket = {
    kind: 'resolve_market',
    conditionId: '',
    payoutTicks: ticks(10_001),
    redeemAll: false,
  };
  const payouts = { field: 'payoutTicks', limit: '0..10000' };
  climb<ResolveMarket>(t, book, start, [
    [{}, no('payout_out_of_bounds', { ...payouts, actual: 10_001 })],
    [{ payoutTicks: ticks(-1) }, no('payout_out_of_bounds', { ...payouts, actual: -1 })],
    [{ payoutTicks: ticks(0.5) }, no('payout_out_of_bounds', { ...payouts, actual: 0.5 })],
    [{ payoutTicks: ticks(0) }, no('market_unknown', { field: 'conditionId', actual: '' })],
    [{ conditionId }, 'done'],
    [{}, { kind: 'known', command: 'resolve_market' }],
    [{ redeemAll: true }, { kind: 'known', command: 'resolve_market' }],
    [
      { payoutTicks: ticks(10_000) },
      no('market_resolved', { field: 'payoutTicks', limit: 0, actual: 10_000 }),
    ],
  ]);
}

function redemption(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  book.say('ann splits 1 YES+NO as k1');
  book.say('the exchange is halted');
  const start: Redeem = {
    kind: 'redeem',
    account: NOBODY,
    owner: bob,
    conditionId: '0x9',
    key: '',
  };
  climb<Redeem>(t, book, start, [
    [{}, no('money_key_malformed', { field: 'key', actual: '' })],
    [{ key: 'k1' }, no('account_unknown', { field: 'account', actual: NOBODY })],
    [{ account: ann }, no('account_not_yours', { field: 'account', actual: ann })],
    [{ owner: ann }, no('market_unknown', { field: 'conditionId', actual: '0x9' })],
    [{ conditionId }, no('money_key_reused', { field: 'key', actual: 'k1' })],
    [{ key: 'k2' }, no('exchange_halted', { field: 'state', actual: 'halted' })],
  ]);
  book.say('the exchange is cancel_only');
  const ready = { ...start, account: ann, owner: ann, conditionId, key: 'k2' };
  climb<Redeem>(t, book, ready, [
    [{}, no('market_not_resolved', { field: 'conditionId', actual: conditionId })],
  ]);
  book.say('the first market resolves to 0');
  book.say('the second market resolves to 0');
  const done = { amountMicros: micros(100_010_000), yesLots: lots(10_001), noLots: lots(10_001) };
  climb<Redeem>(t, book, { ...ready, conditionId: other }, [
    [{}, no('nothing_to_redeem', { field: 'account', actual: ann })],
    [{ conditionId }, 'done'],
    [{}, { kind: 'known', command: 'redeem', ...done }],
    [{ owner: '' }, no('nothing_to_redeem', { field: 'account', actual: ann })],
  ]);
}

function opening(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { hasEvent: true, bounds: { marketsPerEvent: 3 } });
  const start: OpenEvent = { kind: 'open_event', eventId: '', noneConditionId: '0x9' };
  climb<OpenEvent>(t, book, start, [
    [{}, no('event_unknown', { field: 'eventId', actual: '' })],
    [{ eventId: EVENT }, no('event_malformed', { field: 'noneConditionId', actual: '0x9' })],
    [{ noneConditionId: other }, 'done'],
    [{}, { kind: 'known', command: 'open_event' }],
    [{ noneConditionId: '' }, no('event_sealed', { field: 'noneConditionId', actual: '' })],
  ]);
  const fourth: CreateMarket = {
    ...MARKET,
    conditionId: `0x${'4'.repeat(64)}`,
    tokenIds: ['41', '12'],
    eventId: EVENT,
  };
  climb<CreateMarket>(t, book, fourth, [
    [{}, no('market_exists', { field: 'tokenIds', actual: '12' })],
    [{ tokenIds: ['41', '42'] }, no('event_sealed', { field: 'eventId', actual: EVENT })],
    [{ eventId: 'another' }, 'done'],
  ]);
  climb<OpenEvent>(t, book, { ...start, eventId: 'another' }, [
    [{}, no('event_malformed', { field: 'negRisk', actual: fourth.conditionId })],
  ]);
  const full = new DrawnBook(make, { hasEvent: true, bounds: { marketsPerEvent: 3 } });
  climb<CreateMarket>(t, full, { ...fourth, tokenIds: ['41', '42'] }, [
    [{ negRisk: true }, no('event_malformed', { field: 'eventId', limit: 3, actual: 3 })],
    [{ eventId: 'one' }, 'done'],
  ]);
  const { conditionId: fourthId } = fourth;
  const few = { field: 'conditionIds', limit: '2..3', actual: 1 };
  climb<OpenEvent>(t, full, { ...start, eventId: 'one' }, [[{}, no('event_malformed', few)]]);
  // A market that is alone in its event resolves alone, and then the event is never opened.
  const resolution = { kind: 'resolve_market', redeemAll: false, payoutTicks: ticks(1) } as const;
  climb<ResolveMarket>(t, full, { ...resolution, conditionId: fourthId }, [[{}, 'done']]);
  const fifth = { ...fourth, conditionId: `0x${'5'.repeat(64)}`, eventId: 'one', negRisk: true };
  climb<CreateMarket>(t, full, { ...fifth, tokenIds: ['51', '52'] }, [[{}, 'done']]);
  climb<OpenEvent>(t, full, { ...start, eventId: 'one' }, [
    [{}, no('event_malformed', { field: 'conditionIds', actual: fourthId })],
  ]);
  climb<ResolveMarket>(t, full, { ...resolution, conditionId: fifth.conditionId }, [
    [{ payoutTicks: ticks(0) }, 'done'],
  ]);
}

function conversion(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { hasEvent: true });
  book.say('ann splits 1 YES+NO as k1');
  const start: Convert = {
    kind: 'convert',
    account: NOBODY,
    owner: bob,
    eventId: 'nothing',
    conditionIds: [conditionId, other, conditionId, '0x9'],
    lots: lots(0),
    key: '',
  };
  const selected = { field: 'conditionIds' };
  climb<Convert>(t, book, start, [
    [{}, no('money_key_malformed', { field: 'key', actual: '' })],
    [{ key: 'k1' }, no('size_out_of_bounds', { ...SIZES, actual: 0 })],
    [{ lots: lots(10_002) }, no('account_unknown', { field: 'account', actual: NOBODY })],
    [{ account: ann }, no('account_not_yours', { field: 'account', actual: ann })],
    [{ owner: ann }, no('event_unknown', { field: 'eventId', actual: 'nothing' })],
    [{ eventId: EVENT }, no('event_not_sealed', { field: 'eventId', actual: EVENT })],
  ]);
  book.say('the event opens');
  book.say('the second market is halted');
  book.say('the exchange is halted');
  book.say('ann is banned');
  const known = {
    ...start,
    account: ann,
    owner: ann,
    eventId: EVENT,
    key: 'k1',
    lots: lots(10_002),
  };
  climb<Convert>(t, book, known, [
    [{}, no('conversion_malformed', { ...selected, limit: '1..3', actual: 4 })],
    [{ conditionIds: [] }, no('conversion_malformed', { ...selected, limit: '1..3', actual: 0 })],
    [
      { conditionIds: [other, conditionId, other] },
      no('conversion_malformed', { ...selected, actual: other }),
    ],
    [
      { conditionIds: [conditionId, '0x9'] },
      no('conversion_malformed', { ...selected, actual: '0x9' }),
    ],
    [{ conditionIds: [conditionId] }, no('money_key_reused', { field: 'key', actual: 'k1' })],
    [{ key: 'k2' }, no('owner_banned', { field: 'owner', actual: ann })],
    [{ owner: '' }, no('owner_banned', { field: 'owner', actual: ann })],
  ]);
  book.say('ann is good');
  const last = { ...known, conditionIds: [conditionId], key: 'k2' };
  climb<Convert>(t, book, last, [
    [{}, no('exchange_halted', { field: 'state', actual: 'halted' })],
  ]);
  book.say('the exchange is open');
  climb<Convert>(t, book, last, [[{}, no('market_halted', { ...selected, actual: other })]]);
  book.say('the second market is open');
  const lacking = { field: 'account', asset: '12', required: 10_002, available: 10_001, held: 0 };
  climb<Convert>(t, book, last, [
    [{}, no('not_enough_tokens', lacking)],
    [{ lots: lots(10_001) }, 'done'],
  ]);
}

function winner(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { hasEvent: true });
  const start: ResolveEvent = {
    kind: 'resolve_event',
    eventId: 'nothing',
    conditionId: '0x9',
    redeemAll: false,
  };
  climb<ResolveEvent>(t, book, start, [
    [{}, no('event_unknown', { field: 'eventId', actual: 'nothing' })],
    [{ eventId: EVENT }, no('event_not_sealed', { field: 'eventId', actual: EVENT })],
  ]);
  book.say('the event opens');
  climb<ResolveEvent>(t, book, { ...start, eventId: EVENT }, [
    [{}, no('event_malformed', { field: 'conditionId', actual: '0x9' })],
    [{ conditionId }, 'done'],
    [{ redeemAll: true }, { kind: 'known', command: 'resolve_event' }],
    [{ conditionId: other }, no('event_resolved', { field: 'conditionId', actual: other })],
  ]);
  const alone = { kind: 'resolve_market', conditionId: other, redeemAll: false } as const;
  climb<ResolveMarket>(t, book, { ...alone, payoutTicks: ticks(0) }, [
    [{}, no('market_of_event', { field: 'conditionId', actual: EVENT })],
  ]);
  const acting = { account: ann, owner: ann, key: 'k1' };
  const late = { kind: 'convert', ...acting, eventId: EVENT, conditionIds: [conditionId] } as const;
  climb<Convert>(t, book, { ...late, lots: lots(1) }, [
    [{}, no('event_resolved', { field: 'eventId', actual: EVENT })],
  ]);
}

export const SETS_STAIRCASES: readonly Staircase[] = [
  ['a split, from its key to the cash', split],
  ['a resolution, from its payout to the payout in force', resolution],
  ['a redemption, from its key to the tokens', redemption],
  ['an opened event, from its id to its markets', opening],
  ['a conversion, from its key to the tokens', conversion],
  ['a resolved event, from its id to its winner', winner],
  ['a merge, from its owner to the tokens', merge],
];
