/** The staircases of fees: builders, rates of markets, the fee account, and balances with fees. */
import type { Test } from 'tap';
import type {
  ChangeMarket,
  CreateMarket,
  OpenAccount,
  PlaceOrder,
  SetBuilder,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, lots, micros, ticks } from '../../../engine/index.ts';
import type { MakeEngine } from '../engines.ts';
import { DrawnBook, MARKET } from '../scenarios/drawn-book.ts';
import { placeOrder } from '../scenarios/language.ts';
import { addressOf, codeOf, FIRST_MARKET } from '../scenarios/names.ts';
import { climb, no, type Staircase } from './staircase.ts';

/** The accounts of a drawn book, including the house. */
const ACCOUNTS = 9;
const FULL = no('too_many_accounts', { field: 'address', limit: ACCOUNTS, actual: ACCOUNTS });

function builder(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { bounds: { builders: 1 } });
  const fault = (field: string, limit: number, actual: number) =>
    no('builder_malformed', { field, limit: `0..${limit}`, actual });
  const rates = { shareBps: 5_001, takerRateBps: 1_001, makerRateBps: 101 };
  const zero = `0x${'0'.repeat(64)}`;
  const start: SetBuilder = { kind: 'set_builder', builder: '0x12', account: '', ...rates };
  climb<SetBuilder>(t, book, start, [
    [{}, no('builder_malformed', { field: 'builder', actual: '0x12' })],
    [{ builder: zero }, no('builder_malformed', { field: 'builder', actual: zero })],
    [{ builder: codeOf('apps') }, fault('shareBps', 5_000, 5_001)],
    [{ shareBps: -1 }, fault('shareBps', 5_000, -1)],
    [{ shareBps: 5_000 }, fault('takerRateBps', 1_000, 1_001)],
    [{ takerRateBps: 1_000 }, fault('makerRateBps', 100, 101)],
    [{ makerRateBps: 0.5 }, fault('makerRateBps', 100, 0.5)],
    [{ makerRateBps: 100 }, no('account_unknown', { field: 'account', actual: '' })],
    [{ account: addressOf('zoe') }, 'done'],
    [{}, { kind: 'known', command: 'set_builder' }],
    [{ shareBps: 0, takerRateBps: 0, makerRateBps: 0 }, 'done'],
    [
      { builder: codeOf('bots') },
      no('too_many_builders', { field: 'builder', limit: 1, actual: 1 }),
    ],
    [{ builder: codeOf('apps'), account: addressOf('dan') }, 'done'],
  ]);
  const full = new DrawnBook(make, { bounds: { accounts: ACCOUNTS } });
  const account = addressOf('zoe');
  const good = { builder: codeOf('apps'), account, shareBps: 0, takerRateBps: 0, makerRateBps: 0 };
  climb<SetBuilder>(t, full, { ...start, ...good }, [[{}, FULL]]);
}

function rates(t: Test, make: MakeEngine): void {
  const fault = (field: string, limit: string, actual: number) =>
    no('market_malformed', { field, limit, actual });
  const book = new DrawnBook(make, { bounds: { accounts: ACCOUNTS + 1 } });
  const { conditionId } = FIRST_MARKET;
  // The cast admits a value that the type forbids, because its refusal is tested.
  const bad = { takerFeeBps: 5_001, makerFeeBps: -1, feeExponent: 3 as 2 };
  const start: ChangeMarket = { kind: 'change_market', conditionId, ...bad };
  climb<ChangeMarket>(t, book, start, [
    [{}, fault('takerFeeBps', '0..5000', 5_001)],
    [{ takerFeeBps: 0.5 }, fault('takerFeeBps', '0..5000', 0.5)],
    [{ takerFeeBps: 5_000 }, fault('makerFeeBps', '0..5000', -1)],
    [{ makerFeeBps: 5_001 }, fault('makerFeeBps', '0..5000', 5_001)],
    [{ makerFeeBps: 5_000 }, fault('feeExponent', '0..2', 3)],
    [{ feeExponent: 2 }, 'done'],
    [{}, { kind: 'known', command: 'change_market' }],
  ]);
  const full = new DrawnBook(make, { bounds: { accounts: ACCOUNTS } });
  climb<ChangeMarket>(t, full, { ...start, ...bad, takerFeeBps: 0, makerFeeBps: 0 }, [
    [{ feeExponent: 2 }, 'done'],
    [{ makerFeeBps: 1 }, FULL],
    [{ makerFeeBps: 0, takerFeeBps: 1 }, FULL],
  ]);
  const third = { conditionId: `0x${'9'.repeat(64)}`, tokenIds: ['91', '92'] } as const;
  climb<CreateMarket>(t, full, { ...MARKET, ...third, ...bad }, [
    [{}, fault('takerFeeBps', '0..5000', 5_001)],
    [{ takerFeeBps: 5_000 }, fault('makerFeeBps', '0..5000', -1)],
    [{ makerFeeBps: 0 }, fault('feeExponent', '0..2', 3)],
    [{ feeExponent: 0 }, FULL],
    [{ takerFeeBps: 0 }, 'done'],
  ]);
}

/** The fee account can't be opened by a command, whether it exists or not. */
function feeAccount(t: Test, make: MakeEngine): void {
  const reserved = (field: string) => no('address_reserved', { field, actual: FEE_ACCOUNT });
  const start: OpenAccount = {
    kind: 'open_account',
    address: FEE_ACCOUNT,
    owner: '0x12',
    wallet: 'eoa',
    paperMicros: micros(-1),
  };
  const opens = { wallet: 'proxy', paperMicros: micros(-1) } as const;
  const own = { account: FEE_ACCOUNT, owner: FEE_ACCOUNT };
  for (const isOpen of [false, true]) {
    const book = new DrawnBook(make);
    if (isOpen) book.say('the first market charges 1/0 with exponent 1');
    climb<OpenAccount>(t, book, start, [
      [{}, no('address_malformed', { field: 'owner', actual: '0x12' })],
      [{ owner: addressOf('ann') }, reserved('address')],
      [{ owner: FEE_ACCOUNT }, reserved('address')],
      [{ address: addressOf('new') }, reserved('owner')],
      [{ owner: addressOf('ann') }, no('address_malformed', { field: 'owner', actual: ANN })],
    ]);
    if (isOpen) continue;
    climb<PlaceOrder>(t, book, { ...placeOrder('new', own), opens }, [[{}, reserved('address')]]);
  }
}

const ANN = addressOf('ann');

/** A balance must cover the fees at the limit price, to the micro. */
function balance(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  book.say('the first market charges 441/100 with exponent 1');
  const { available } = book.cashOf('ann');
  const spare = available - 51_102_500;
  book.apply({
    kind: 'withdraw',
    account: ANN,
    amountMicros: micros(spare + 1),
    key: 'spare',
  });
  const lacks = (required: number, funds: number) =>
    no('not_enough_cash', { field: 'account', asset: 'cash', required, available: funds, held: 0 });
  // 100 tokens at 0.5 cost 50, and 1.1025 as taker fee: 100 x 0.0441 x 0.25; a maker pays 0.25.
  climb<PlaceOrder>(t, book, placeOrder('ann', { lots: lots(10_000) }), [
    [{}, lacks(51_102_500, 51_102_499)],
    [{ lots: lots(10_001) }, lacks(51_107_610, 51_102_499)],
    [
      { type: 'FOK', lots: lots(0), budgetMicros: micros(50_000_000) },
      lacks(51_102_500, 51_102_499),
    ],
    // The budget is 49.9999 and its fee 1.102497795, which is not rounded up.
    [
      { budgetMicros: micros(49_999_900) },
      no('fill_or_kill_unfilled', { field: 'budgetMicros', limit: 0, actual: 49_999_900 }),
    ],
    [{ type: 'GTC', budgetMicros: micros(0), lots: lots(9_999), priceTicks: ticks(5_000) }, 'done'],
  ]);
  book.say('ann cancels all');
  climb<PlaceOrder>(t, book, placeOrder('ann2', { lots: lots(10_170), postOnly: true }), [
    [{}, lacks(51_104_250, 51_102_499)],
    [{ lots: lots(10_169) }, 'done'],
  ]);
}

export const FEE_STAIRCASES: readonly Staircase[] = [
  ['a builder, from its code to the bound of builders', builder],
  ['the rates of a market, and the fee account', rates],
  ['the fee account, which no command can open', feeAccount],
  ['a balance with fees at the limit price', balance],
];
