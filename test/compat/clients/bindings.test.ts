// What strict clients read (strict-readers.ts): the recorded answers of all routes and the recorded
// messages; and that a field which they cannot read is named.
import t from 'tap';
import examples from '../../../http/documentation/examples/public.json' with { type: 'json' };
import messages from '../../../http/documentation/examples/streams.json' with { type: 'json' };
import {
  checkRust,
  checkSdk,
  NOT_SERVED,
  ROUTES_READ,
  read,
  SDK_MESSAGES,
} from './strict-readers.ts';

/** Recorded answers that the Rust clients are not asked to read, and why. */
const NOT_FOR_RUST: Readonly<Record<string, string>> = {
  'GET /data/trades': 'recorded with KUEST_ headers, whose times are ISO 8601 (wire 0.14)',
  'GET /auth/readonly-api-keys': 'a list, as all other clients read it (wire 1.3)',
  'GET /builder/trades': 'the builder of the example is no address (wire 0.15)',
};

/** Recorded messages that the SDK cannot read, and why. */
const NOT_FOR_SDK: Readonly<Record<string, string>> = {
  'live.comment_removed': 'it has a STAR, of which the SDK does not know (wire 8.4)',
};

t.test('the clients read every recorded answer', async (t) => {
  const recorded: Readonly<Record<string, { readonly response: unknown }>> = examples;
  for (const route of ROUTES_READ) {
    const example = recorded[route];
    if (example === undefined && NOT_SERVED[route] !== undefined) continue;
    t.ok(example, `${route} has an example`);
    const check = () => read(route, example?.response);
    if (NOT_FOR_RUST[route] === undefined) t.doesNotThrow(check, route);
    else t.throws(check, `${route}: ${NOT_FOR_RUST[route]}`);
  }
});

t.test('the SDK reads every recorded message', async (t) => {
  const recorded: Readonly<Record<string, unknown>> = messages;
  for (const [name, type] of Object.entries(SDK_MESSAGES)) {
    const check = () => checkSdk(recorded[name], type, name);
    if (NOT_FOR_SDK[name] === undefined) t.doesNotThrow(check, name);
    else t.throws(check, `${name}: ${NOT_FOR_SDK[name]}`);
  }
});

t.test('a field that a Rust client lacks, or cannot read, is named', async (t) => {
  const level = { price: '0.4', size: '5' };
  const rows: readonly (readonly [value: unknown, type: string, told: RegExp | undefined])[] = [
    [{ price: '0.4' }, 'Level', /\$\.size is undefined in place of Decimal/],
    [{ ...level, size: '' }, 'Level', /\$\.size is "" in place of Decimal/],
    [[level, null], '[Level]', /\$\[1\] is null/],
    [null, '[Level]', /\$ is null/],
    [{}, 'Rewards', /\$\.min_size is undefined/],
    [{ canceled: null, not_canceled: {} }, 'Cancels', undefined],
    [{ notCanceled: {}, not_canceled: {} }, 'Cancels', /one of notCanceled\|not_canceled/],
    [{ createdAt: '' }, 'Profile', /\$\.createdAt is "" in place of Date/],
    [{ proxyWallet: '', users: null }, 'Profile', undefined],
    [{ id: '1', outcomes: ['Yes'] }, 'Market', /\$\.outcomes is \["Yes"\]/],
    [{ id: '1', outcomePrices: '["0.5", "x"]' }, 'Market', /\$\.outcomePrices\[1\] is "x"/],
  ];
  for (const [value, type, told] of rows) {
    if (told === undefined) t.doesNotThrow(() => checkRust(value, type), type);
    else t.throws(() => checkRust(value, type), told);
  }
});

t.test('a field that the SDK lacks, or cannot read, is named', async (t) => {
  const page = { limit: 1, has_more: false, next_cursor: null };
  const notice = { id: 1, type: 4, owner: '', timestamp: 1 };
  const rows: readonly (readonly [value: unknown, type: string, told: RegExp | undefined])[] = [
    [{ data: [], pagination: page }, 'DataPage[Fill]', undefined],
    [{ data: [{}], pagination: page }, 'DataPage[Fill]', /\$\.data\[0\]\.proxy_wallet is undef/],
    [{ data: [], pagination: { ...page, next_cursor: '' } }, 'DataPage[Fill]', /next_cursor is ""/],
    [{ data: null }, 'Data[UserStats!]', undefined],
    [{}, 'Data[UserStats!]', /\$\.data is undefined in place of an object/],
    [{ ...notice, payload: {} }, 'Notification', /payload\.accepting_orders is undefined/],
    [{ ...notice, type: 2, payload: {} }, 'Notification', /payload\.asset_id is undefined/],
    [{ ...notice, type: 11, payload: {} }, 'Notification', /type is 11 in place of =1/],
    [{ r: null }, 'MarketFeeInfo', /\$\.r is null in place of f/],
    [{}, 'MarketFeeInfo', undefined],
    [{ price: '0.5', side: '' }, 'LastTradePrice', undefined],
    [{ price: '0.5', side: 'buy' }, 'LastTradePrice', /\$\.side is "buy" in place of =BUY/],
    [{ minimum_tick_size: '0.01' }, 'TickSize', /is "0\.01" in place of TickNumber/],
  ];
  for (const [value, type, told] of rows) {
    if (told === undefined) t.doesNotThrow(() => checkSdk(value, type), type);
    else t.throws(() => checkSdk(value, type), told);
  }
});
