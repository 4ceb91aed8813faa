/** Accounts and their owners, movements of money, builders, and what can be done to them. */
import { useSignal } from '@preact/signals';
import {
  DECIMALS,
  decimalText,
  Field,
  Figure,
  grouped,
  Id,
  Loaded,
  linkTo,
  place,
  set,
  Table,
  useAnswer,
  useTitle,
} from '../kit/index.ts';
import { moveKey } from '../signing/random.ts';
import type { Answer } from '../wire/index.ts';
import { ListViews, listOf } from './list.tsx';
import { Deposits, Invitations } from './many-people.tsx';
import { isSandbox } from './token.tsx';
import { type Write, Writes } from './writes.tsx';

type Standing = Answer<'GET', '/owners/{address}', 'operator'>['standing'];
type Cash = Answer<'GET', '/accounts/{address}', 'operator'>;

const STANDINGS: Readonly<Record<Standing, readonly [tone: string, text: string]>> = {
  good: ['good', 'good'],
  closed_only: ['warn', 'closing only'],
  banned: ['bad', 'banned'],
};

function standingBadge({ standing }: { readonly standing: Standing }) {
  const [tone, text] = STANDINGS[standing];
  return <span class={`badge ${tone}`}>{text}</span>;
}

/** `account` is '' where the form asks for it. */
function moneyWrite(title: 'Deposit' | 'Withdraw', account: string): Write {
  return {
    ...{ title, method: 'POST', submit: title },
    route: title === 'Deposit' ? '/deposits' : '/withdrawals',
    start: account === '' ? { key: moveKey() } : { account, key: moveKey() },
    hidden: account === '' ? ['key'] : ['key', 'account'],
    words: {
      account: { hint: 'Its address.' },
      amount: { unit: 'units', hint: 'Up to 6 decimals.' },
    },
    ...(title === 'Deposit'
      ? {}
      : { warnOf: ({ amount }) => `${amount} units leave the exchange from ${account}.` }),
  };
}

function canceledText(ids: unknown, market: unknown): string {
  if (Array.isArray(ids) && ids.length > 0) {
    return ids.length === 1 ? 'One order ends.' : `${ids.length} orders end.`;
  }
  const where = market === undefined ? '' : ` in the market ${String(market)}`;
  return `All open orders of the owner${where} end.`;
}

function ownerWrites(owner: string): readonly Write[] {
  return [
    {
      ...{ title: 'Change the standing', method: 'POST', route: '/owners/{address}/standing' },
      ...{ params: { address: owner }, submit: 'Set the standing' },
      words: {
        standing: {
          options: [
            ['good', 'good: everything is allowed'],
            ['closed_only', 'closing only: no buying'],
            ['banned', 'banned: only cancels, merges and redemptions'],
          ],
          hint: '',
        },
      },
      note:
        'It holds for all accounts of the owner. Orders that are no longer allowed are ' +
        'canceled.',
    },
    {
      ...{ title: 'Cancel orders', method: 'DELETE', route: '/owners/{address}/orders' },
      ...{ params: { address: owner }, submit: 'Cancel the orders', common: ['market'] },
      words: { market: { hint: 'Condition id; empty for all markets.' } },
      note: 'Without ids and without a market, all open orders of the owner.',
      warnOf: ({ order_ids, market }) => canceledText(order_ids, market),
    },
  ];
}

function revokeWrite(apiKey: string): Write {
  return {
    ...{ title: 'Revoke', method: 'DELETE', route: '/keys/{api_key}' },
    ...{ params: { api_key: apiKey }, submit: 'Revoke the key' },
    warnOf: () => `Every request with the key ${apiKey} is refused from then on.`,
  };
}

const Accounts = listOf('/accounts', {
  label: 'Accounts',
  next: 'offset',
  keyOf: ({ address }) => address,
  empty: 'No account fits.',
  columns: [
    ['Account', 'address', 'account'],
    ['Wallet', 'wallet', 'text', 'minor'],
    ['Standing', standingBadge],
    ['Available, units', 'available', 'units'],
    ['Held, units', 'held', 'units', 'minor'],
  ],
  search: {
    name: 'search',
    pattern: /^0x[0-9a-fA-F]{0,40}$/,
    fault: 'An address begins with 0x and has hex digits.',
    hint: 'How the address of the account or of its owner begins.',
  },
  tools: () => [
    {
      ...{ title: 'Open an account', method: 'POST', route: '/accounts' },
      words: { address: { hint: "The owner's address, or that of its wallet." } },
      submit: 'Open the account',
    },
  ],
});

const RestrictedOwners = listOf('/owners', {
  label: 'Restricted owners',
  next: 'offset',
  keyOf: ({ owner }) => owner,
  empty: 'No owner is restricted.',
  columns: [
    ['Owner', 'owner', 'owner'],
    ['Standing', standingBadge],
    ['Accounts', 'accounts', 'number'],
  ],
});

const Movements = listOf('/actions', {
  label: 'Movements of money',
  next: 'before_seq',
  keyOf: ({ seq }) => seq,
  empty: 'No operator has moved money in this way yet.',
  choice: {
    ...{ name: 'kind', label: 'Which movements' },
    options: [
      ['deposit', 'Deposits'],
      ['withdraw', 'Withdrawals'],
    ],
  },
  columns: [
    ['Time', 'time', 'time'],
    ['Account', ({ command }) => String(command.account), 'account'],
    ['Units', ({ command }) => decimalText(Number(command.amountMicros), DECIMALS.micros), 'units'],
    ['By', 'by', 'text', 'minor'],
    ['Reason', 'reason'],
  ],
  tools: () => [moneyWrite('Deposit', '')],
});

const BuilderList = listOf('/builders', {
  label: 'Builders',
  next: 'offset',
  keyOf: ({ builder_code }) => builder_code,
  empty: 'No builder earns anything yet. Enter a code to set what it earns.',
  columns: [
    ['Code', 'builder_code', 'id'],
    ['Account', 'account', 'id', 'minor'],
    ['Share of fees', 'fee_share_bps', 'bps'],
    ['Of takers', 'taker_rate_bps', 'bps'],
    ['Of makers', 'maker_rate_bps', 'bps'],
  ],
});

function builderWrite(code: string): Write {
  return {
    ...{ title: 'Set a builder', method: 'POST', route: '/builders/{builder_code}' },
    params: { builder_code: code },
    words: {
      account: { hint: 'The account that is paid. It must be open.' },
      fee_share_bps: { label: 'Share of the fees', unit: 'bps', hint: '0 to 5,000; 100 are 1%.' },
      taker_rate_bps: { label: 'Its fee of takers', unit: 'bps', hint: '0 to 1,000.' },
      maker_rate_bps: { label: 'Its fee of makers', unit: 'bps', hint: '0 to 100.' },
    },
    note: 'Orders keep the rates that were in force when they were accepted.',
    submit: 'Set what it earns',
  };
}

/** The code is a part of the route's path, so it is asked for first. */
function Builders() {
  const code = useSignal('');
  const turn = useSignal(0);
  return (
    <>
      <div class="row">
        <Field
          label="Builder code"
          value={code.value}
          placeholder="0x…"
          maxLength={66}
          onInput={(value) => set(code, value.trim())}
        />
        {code.value !== '' && (
          <Writes
            writes={[builderWrite(code.value)]}
            onDone={() => {
              turn.value += 1;
            }}
          />
        )}
      </div>
      <BuilderList turn={turn.value} />
    </>
  );
}

const MOST_ORDERS = 100;

const OpenOrders = listOf('/orders', {
  label: 'Open orders',
  query: { limit: MOST_ORDERS },
  keyOf: ({ id }) => id,
  empty: 'The owner has no open order.',
  columns: [
    ['Order', 'id', 'id'],
    ['Market', 'market', 'id', 'minor'],
    ['Side', ({ side, outcome }) => `${side} ${outcome}`],
    ['Price', 'price', 'number'],
    ['Size', 'original_size', 'number'],
    ['Filled', 'size_matched', 'number'],
  ],
  note: (rows) =>
    rows.length === MOST_ORDERS && <p class="muted">The first {MOST_ORDERS} orders are shown.</p>,
});

function OwnerPanel({ address }: { address: string }) {
  const owner = useAnswer('/owners/{address}', { params: { address }, auth: 'operator' });
  const turn = useSignal(0);
  function reload(): void {
    owner.reload();
    turn.value += 1;
  }
  return (
    <section class="panel stack" aria-labelledby="owner">
      <h2 id="owner">Owner</h2>
      <Loaded resource={owner}>
        {(view) => (
          <>
            <div class="row">
              <Id text={view.owner} />
              {standingBadge(view)}
              <Writes writes={ownerWrites(view.owner)} onDone={reload} />
            </div>
            <h3>Accounts</h3>
            <p class="row">
              {view.accounts.map((account) => (
                <Id
                  key={account.address}
                  text={account.address}
                  href={linkTo(['accounts', account.address])}
                />
              ))}
              {view.accounts.length === 0 && <span class="muted">It has none.</span>}
            </p>
            <h3>API keys</h3>
            <Table
              label="API keys"
              rows={view.keys}
              keyOf={({ api_key }) => api_key}
              empty="The owner has no valid key."
              columns={[
                ['Key', 'api_key', 'id'],
                ['Purpose', 'purpose', 'text', 'minor'],
                ['Issued', 'issued', 'moment', 'minor'],
                [
                  'Actions',
                  ({ api_key }) => (
                    <Writes writes={[revokeWrite(api_key)]} subject={api_key} onDone={reload} />
                  ),
                ],
              ]}
            />
          </>
        )}
      </Loaded>
      <h3>Open orders</h3>
      <OpenOrders query={{ owner: address }} turn={turn.value} />
    </section>
  );
}

function cashFigures({ balance, available, held }: Cash) {
  return [
    ['balance, units', balance],
    ['available, units', available],
    ['held by orders, units', held],
  ] as const;
}

function AccountView({ address }: { address: string }) {
  const account = useAnswer('/accounts/{address}', { params: { address }, auth: 'operator' });
  return (
    <Loaded resource={account}>
      {(cash) => (
        <>
          <div class="panel stack">
            <h1>Account</h1>
            <p class="row">
              <Id text={cash.address} /> <span class="badge">{cash.wallet}</span>
            </p>
            <dl class="figures">
              {cashFigures(cash).map(([name, value]) => (
                <Figure key={name} name={name}>
                  {grouped(value)}
                </Figure>
              ))}
            </dl>
            <Writes
              writes={[moneyWrite('Deposit', cash.address), moneyWrite('Withdraw', cash.address)]}
              onDone={account.reload}
            />
          </div>
          <OwnerPanel address={cash.owner} />
        </>
      )}
    </Loaded>
  );
}

export function AccountsPage() {
  useTitle('Accounts');
  const [, address, owner] = place.value.segments;
  if (address === undefined) {
    return (
      <div class="panel stack">
        <h1>Accounts</h1>
        <ListViews
          views={[
            ['Accounts', Accounts],
            ['Restricted owners', RestrictedOwners],
            ['Money', Movements],
            ['Many deposits', Deposits],
            ['Builders', Builders],
            ...(isSandbox.value ? ([['Invitations', Invitations]] as const) : []),
          ]}
        />
      </div>
    );
  }
  return (
    <div class="stack">
      <p>
        <a href={linkTo(['accounts'])}>All accounts</a>
      </p>
      {owner === undefined ? <AccountView address={address} /> : <OwnerPanel address={owner} />}
    </div>
  );
}
