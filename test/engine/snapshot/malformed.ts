/** A table of malformed snapshots: how each is made from a good one, and the error that it gets. */
import { RESOLVED, type SnapshotPart } from '../../../engine/index.ts';

type Records = unknown[][];

/** Edits the first part with the wanted name, whose bytes are JSON. */
function edited(wanted: string, edit: (records: Records) => unknown) {
  return (parts: SnapshotPart[]): SnapshotPart[] => {
    const at = parts.findIndex(({ name }) => name === wanted);
    // Safe: the writer made these records.
    const records = JSON.parse(Buffer.from(parts[at]!.bytes).toString()) as Records;
    const result = edit(records) ?? records;
    return parts.with(at, { name: wanted, bytes: Buffer.from(JSON.stringify(result)) });
  };
}

/** Puts another number into the first row of a column of the first part with the wanted name. */
function poked(
  wanted: string,
  rowBytes: number,
  offset: number,
  put: (view: DataView, at: number) => void,
) {
  return (parts: SnapshotPart[]): SnapshotPart[] => {
    const at = parts.findIndex(({ name }) => name === wanted);
    const bytes = Uint8Array.from(parts[at]!.bytes);
    const rows = bytes.length / rowBytes;
    put(new DataView(bytes.buffer), offset * rows);
    return parts.with(at, { name: wanted, bytes });
  };
}

function double(value: number) {
  return (view: DataView, at: number) => view.setFloat64(at, value, true);
}
function word(value: number) {
  return (view: DataView, at: number) => view.setInt32(at, value, true);
}
function byte(value: number) {
  return (view: DataView, at: number) => view.setUint8(at, value);
}
/** Replaces a field of the first record, or an element of a list in it. */
function field(path: number | readonly [number, number], value: unknown) {
  return (records: Records): void => {
    const [at, inner] = typeof path === 'number' ? [path, undefined] : path;
    const record = records[0]!;
    // Safe: the writer put a list there.
    const list = inner === undefined ? record : (record[at] as unknown[]);
    const index = inner ?? at;
    list[index] = typeof value === 'function' ? value(list[index]) : value;
  };
}
function more(value: number): number {
  return value + 1;
}
function less(value: number): number {
  return value - 1;
}

/** Bytes of a row in each section that is stored in columns. */
const ORDER = 96;
const ACCOUNT = 57;
const POSITION = 40;
const FEES = 44;
const RECENT = 49;

/** An account that has no position in the market of the first delayed order. */
function accountElsewhere(parts: readonly SnapshotPart[]): number {
  const [bytes, delayed] = ['positions', 'delayed'].map((wanted) => {
    return Buffer.from(parts.find(({ name }) => name === wanted)!.bytes);
  });
  const market = JSON.parse(delayed!.toString())[0][7];
  const rows = bytes!.length / POSITION;
  const inMarket = new Set<number>();
  for (let row = 0; row < rows; row += 1) {
    if (bytes!.readInt32LE(rows * 36 + row * 4) === market) {
      inMarket.add(bytes!.readInt32LE(rows * 32 + row * 4));
    }
  }
  let account = 0;
  while (inMarket.has(account)) account += 1;
  return account;
}

/** The fault, a section that the snapshot must contain, how to make it, and the error. */
export const MALFORMED: readonly (readonly [
  what: string,
  section: string,
  edit: (parts: SnapshotPart[]) => SnapshotPart[],
  message: RegExp,
])[] = [
  ['no part', 'head', () => [], /the snapshot has no parts/],
  [
    'no head',
    'markets',
    (parts) => parts.slice(1),
    /markets: the first part of a snapshot must be head/,
  ],
  [
    'two heads',
    'head',
    (p) => [p[0]!, ...p],
    /head: this part is out of order; markets must come next/,
  ],
  [
    'an unknown part',
    'head',
    (p) => [p[0]!, { name: 'x', bytes: p[0]!.bytes }],
    /x: this part is out of order/,
  ],
  [
    'a part too many',
    'head',
    (p) => [...p, p.at(-1)!],
    /: this part is out of order; the end must come next/,
  ],
  [
    'a part too few',
    'orders',
    (p) => p.slice(0, -1),
    /the snapshot ends too early: it has 0 of \d+ records of \w+/,
  ],
  [
    'no JSON',
    'head',
    (p) => p.with(0, { name: 'head', bytes: Buffer.from('[[1,') }),
    /head: the 4 bytes of this part are not JSON/,
  ],
  [
    'no list',
    'markets',
    edited('markets', () => ({})),
    /markets: this part must be a list of one or more records/,
  ],
  [
    'an empty list',
    'markets',
    edited('markets', () => []),
    /markets: this part must be a list of one or more records/,
  ],
  [
    'no record',
    'markets',
    edited('markets', () => [7]),
    /markets 0: a record must be a list of fields/,
  ],
  ['another version', 'head', edited('head', field(0, 99)), /head: version must be 1, not 99/],
  [
    'a negative count',
    'head',
    edited('head', field([1, 3], -1)),
    /counts: accounts must be a whole number from 0/,
  ],
  [
    'a count too small',
    'accounts',
    edited('head', field([1, 3], less)),
    /accounts: the snapshot has \d+ records, but its head says \d+/,
  ],
  [
    'a count too large',
    'accounts',
    edited('head', field([1, 3], more)),
    /positions: this part is out of order; accounts must come next/,
  ],
  [
    'a status that only markets can have',
    'head',
    edited('head', field(4, 3)),
    /head: status must be a whole number from 0 to 2, not 3/,
  ],
  [
    'another account as the fee account',
    'accounts',
    edited('head', field(5, 1)),
    /head: account 1 is not the account that collects fees/,
  ],
  [
    'more cash than was deposited',
    'accounts',
    edited('head', field(7, less)),
    /accounts: all cash .* is \d+ micros, but net deposits are \d+/,
  ],
  [
    'a field too many',
    'markets',
    edited('markets', (r) => [[...r[0]!, 0]]),
    /markets 0: a record must have \d+ fields, not \d+/,
  ],
  [
    'a field too few',
    'markets',
    edited('markets', (r) => [r[0]!.slice(0, -1)]),
    /markets 0: bundlesLots must be a whole number .* not nothing/,
  ],
  [
    'a market twice',
    'markets',
    edited('markets', (r) => [r[0], r[0]]),
    /markets 1: an earlier market has the same condition id or token id/,
  ],
  [
    'a bad tick',
    'markets',
    edited('markets', field([5, 0], 7)),
    /markets 0: tickTicks is out of bounds: 7/,
  ],
  [
    'an invalid grain',
    'markets',
    edited('markets', field(7, 3)),
    /markets 0: grain must be .*, not 3/,
  ],
  [
    'more sets than tokens',
    'markets',
    edited('markets', field(9, more)),
    /positions: \d+ YES and \d+ NO lots do not match .* market 0/,
  ],
  [
    'sets of a resolved market',
    'markets',
    edited('markets', ([r]) => [r!.with(8, RESOLVED).with(9, 5)]),
    /markets 0: setsLots must be a whole number .* not 5/,
  ],
  [
    'bundles of a resolved market',
    'markets',
    edited('markets', ([r]) => [r!.with(8, RESOLVED).with(9, 0).with(10, 0).with(12, 5)]),
    /markets 0: bundlesLots must be a whole number .* not 5/,
  ],
  [
    'a debt of a market that is not resolved',
    'markets',
    edited('markets', ([r]) => [r!.with(8, 0).with(10, -1).with(11, 5)]),
    /markets 0: owedMicros must be a whole number .* not 5/,
  ],
  [
    'an event without markets',
    'events',
    edited('events', field(0, 'none such')),
    /events 0: eventId must be the id of an event with markets/,
  ],
  [
    'an unknown noneConditionId',
    'events',
    edited('events', field(1, 'x')),
    /events 0: noneConditionId must be one of/,
  ],
  [
    'an unknown winner',
    'events',
    edited('events', field(2, 1e6)),
    /events 0: winner must be a whole number/,
  ],
  [
    'a good standing',
    'standings',
    edited('standings', field(1, 'good')),
    /standings 0: standing must be one of closed_only, banned/,
  ],
  [
    'an owner in capitals',
    'standings',
    edited('standings', field(0, '0xAB')),
    /standings 0: owner must be a text like/,
  ],
  [
    'half a row',
    'accounts',
    (p) =>
      p.map((one) => (one.name === 'accounts' ? { ...one, bytes: one.bytes.slice(0, -1) } : one)),
    /accounts: \d+ bytes must be one or more rows of 57 bytes/,
  ],
  [
    'half a micro',
    'accounts',
    poked('accounts', ACCOUNT, 0, double(0.5)),
    /accounts 0: availableMicros must not be 0.5/,
  ],
  [
    'held cash that is not a number',
    'accounts',
    poked('accounts', ACCOUNT, 8, double(Number.NaN)),
    /accounts 0: heldMicros must not be NaN/,
  ],
  [
    'an unknown kind of wallet',
    'accounts',
    poked('accounts', ACCOUNT, 16, byte(9)),
    /accounts 0: wallet must not be 9/,
  ],
  [
    'negative lots',
    'positions',
    poked('positions', POSITION, 0, double(-1)),
    /positions 0: available lots must not be -1/,
  ],
  [
    'tokens of an unknown account',
    'positions',
    poked('positions', POSITION, 32, word(-1)),
    /positions 0: account must not be -1/,
  ],
  [
    'tokens of an unknown market',
    'positions',
    poked('positions', POSITION, 36, word(1e6)),
    /positions 0: market must not be 1000000/,
  ],
  [
    'redemption in an unknown market',
    'redeeming',
    edited('redeeming', field(0, -1)),
    /redeeming 0: market must be a whole number/,
  ],
  [
    'a key twice',
    'api_keys',
    edited('api_keys', (r) => [r[0], r[0]]),
    /api_keys 1: apiKey must be in no earlier record/,
  ],
  [
    'an unknown purpose',
    'api_keys',
    edited('api_keys', field(3, 'x')),
    /api_keys 0: purpose must be one of/,
  ],
  [
    'a switch of an unknown owner',
    'switches',
    edited('switches', field(0, `0x${'9'.repeat(40)}`)),
    /switches 0: owner must be the owner of an account/,
  ],
  [
    'a builder with an unknown account',
    'builders',
    edited('builders', field(1, 1e6)),
    /builders 0: account must be a whole number/,
  ],
  [
    'a key twice',
    'money_keys',
    edited('money_keys', (r) => [r[0], r[0]]),
    /money_keys 1: key must be in no earlier record/,
  ],
  [
    'an unknown command of a key',
    'money_keys',
    edited('money_keys', field(0, 9)),
    /money_keys 0: command must be a whole number/,
  ],
  [
    'a closed order from the future',
    'recent_orders',
    poked('recent_orders', RECENT, 0, double(2 ** 52)),
    /recent_orders 0: acceptedSeq .*4503599627370496/,
  ],
  [
    'invalid traits of a closed order',
    'recent_orders',
    poked('recent_orders', RECENT, 16, byte(1)),
    /recent_orders 0: traits must not be 1/,
  ],
  [
    'an invalid exponent',
    'schedules',
    edited('schedules', field(2, 3)),
    /schedules 0: feeExponent must be a whole number/,
  ],
  [
    'an order from the future',
    'orders',
    poked('orders', ORDER, 0, double(2 ** 52)),
    /orders 0: acceptedSeq .*4503599627370496/,
  ],
  [
    'an accepted seq that is not a number',
    'orders',
    poked('orders', ORDER, 0, double(Number.NaN)),
    /orders \d+: acceptedSeq .*NaN/,
  ],
  [
    'more remaining lots than the order had',
    'orders',
    poked('orders', ORDER, 32, double(2 ** 52)),
    /orders 0: remainingLots must not be/,
  ],
  [
    'an order of an unknown account',
    'orders',
    poked('orders', ORDER, 48, word(1e6)),
    /orders 0: account must not be 1000000/,
  ],
  [
    'an order in an unknown market',
    'orders',
    poked('orders', ORDER, 52, word(-1)),
    /orders 0: market must not be -1/,
  ],
  [
    'a price of 1',
    'orders',
    poked('orders', ORDER, 56, word(10_000)),
    /orders 0: priceTicks must not be 10000/,
  ],
  [
    'a delayed order among resting orders',
    'orders',
    poked('orders', ORDER, 60, word(64)),
    /orders 0: traits must not be 64/,
  ],
  [
    'fees of an unknown schedule',
    'order_fees',
    poked('order_fees', FEES, 40, word(1e6)),
    /order_fees 0: schedule must not be 1000000/,
  ],
  [
    'a builder fee above the fee',
    'order_fees',
    poked('order_fees', FEES, 32, double(2 ** 52)),
    /order_fees 0: builderMicros must not be/,
  ],
  [
    'a delayed order without a seq',
    'delayed',
    edited('delayed', field(1, 0)),
    /delayed 0: acceptedSeq must be a whole number from 1/,
  ],
  [
    'an id twice',
    'delayed',
    edited('delayed', (r) => [r[0]!.with(1, (r[0]![1] as number) - 1), r[0]]),
    /delayed 1: orderId must be in no earlier order/,
  ],
  [
    'a delayed order in an unknown market',
    'delayed',
    edited('delayed', field(7, 1e6)),
    /delayed 0: market must be a whole number/,
  ],
  [
    'a delayed order of an account without a position in its market',
    'delayed',
    (parts) => edited('delayed', field(6, accountElsewhere(parts)))(parts),
    /delayed 0: account must be one with a position in the market/,
  ],
  [
    'a resting delayed order',
    'delayed',
    edited('delayed', field(8, 32)),
    /delayed 0: traits must be of a delayed order/,
  ],
  [
    'a delayed order with another schedule than its traits say',
    'delayed',
    edited(
      'delayed',
      field(8, (traits: number) => traits ^ 128),
    ),
    /delayed 0: traits must be of a delayed order/,
  ],
  [
    'a delayed order with an amount of each kind',
    'delayed',
    edited('delayed', field(11, more)),
    /delayed 0: budgetMicros must be above 0 for an order without lots, otherwise 0/,
  ],
];
