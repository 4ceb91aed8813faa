/** An account, its owner, and what an operator can do to both. */
import { grouped, Id, Loaded, linkTo, Moment, Table, useResource } from '../kit/index.ts';
import { type AccountOrder, send } from '../wire/index.ts';
import type { Write } from './action-dialog.tsx';
import { Writes } from './writes.tsx';

export interface AccountCash {
  readonly address: string;
  readonly owner: string;
  readonly wallet: string;
  readonly balance: string;
  readonly available: string;
  readonly held: string;
}

export type Standing = 'good' | 'closed_only' | 'banned';

interface OwnerView {
  readonly owner: string;
  readonly standing: Standing;
  readonly keys: readonly {
    readonly api_key: string;
    readonly purpose: string;
    readonly issued: string;
  }[];
  readonly accounts: readonly { readonly address: string; readonly wallet: string }[];
}

const STANDING_TONES = { good: 'good', closed_only: 'warn', banned: 'bad' } as const;

export function StandingBadge({ standing }: { standing: Standing }) {
  const text = standing === 'closed_only' ? 'closing only' : standing;
  return <span class={`badge ${STANDING_TONES[standing]}`}>{text}</span>;
}

/** Open orders that are shown. */
const PAGE = 100;

/** A new idempotency key, so that a click that is repeated moves money once. */
function newKey(): string {
  return `console-${crypto.getRandomValues(new BigUint64Array(2)).join('-')}`;
}

const MONEY = {
  account: { hint: 'Its address.' },
  amount: { unit: 'units', hint: 'Up to 6 decimals.' },
} as const;

export function depositWrite(account: string): Write {
  return {
    ...{ title: 'Deposit', method: 'POST', route: '/deposits' },
    start: account === '' ? { key: newKey() } : { account, key: newKey() },
    ...{ hidden: account === '' ? ['key'] : ['key', 'account'], words: MONEY, submit: 'Deposit' },
  };
}

function withdrawalWrite(account: string): Write {
  return {
    ...{ title: 'Withdraw', method: 'POST', route: '/withdrawals' },
    ...{ start: { account, key: newKey() }, hidden: ['key', 'account'], words: MONEY },
    submit: 'Withdraw',
    warnOf: ({ amount }) => `${String(amount)} units leave the exchange from ${account}.`,
  };
}

/** What a request to cancel orders of an owner ends. */
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

function CashFigures({ cash }: { cash: AccountCash }) {
  const figures = [
    ['balance, units', cash.balance],
    ['available, units', cash.available],
    ['held by orders, units', cash.held],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{grouped(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function OwnerPanel({ address }: { address: string }) {
  const owner = useResource(
    (signal) =>
      send<OwnerView>({ method: 'GET', path: `/owners/${address}`, auth: 'operator', signal }),
    [address],
  );
  const orders = useResource(
    (signal) =>
      send<{ readonly data: readonly AccountOrder[] }>({
        ...{ method: 'GET', path: '/orders', auth: 'operator', signal },
        query: { owner: address, limit: PAGE },
      }),
    [address],
  );
  function reload(): void {
    owner.reload();
    orders.reload();
  }
  return (
    <section class="panel stack" aria-labelledby="owner">
      <h2 id="owner">Owner</h2>
      <Loaded resource={owner}>
        {(view) => (
          <>
            <div class="row">
              <Id text={view.owner} />
              <StandingBadge standing={view.standing} />
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
                { head: 'Key', cell: ({ api_key }) => <Id text={api_key} /> },
                { head: 'Purpose', cell: ({ purpose }) => purpose, isMinor: true },
                {
                  head: 'Issued',
                  cell: ({ issued }) => <Moment timeMs={Date.parse(issued)} />,
                  isMinor: true,
                },
                {
                  head: 'Actions',
                  cell: ({ api_key }) => (
                    <Writes writes={[revokeWrite(api_key)]} subject={api_key} onDone={reload} />
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
      <h3>Open orders</h3>
      <Loaded resource={orders}>
        {({ data }) => (
          <>
            <Table
              label="Open orders"
              rows={data}
              keyOf={({ id }) => id}
              empty="The owner has no open order."
              columns={[
                { head: 'Order', cell: ({ id }) => <Id text={id} /> },
                { head: 'Market', cell: ({ market }) => <Id text={market} />, isMinor: true },
                { head: 'Side', cell: ({ side, outcome }) => `${side} ${outcome}` },
                { head: 'Price', cell: ({ price }) => price, isNumber: true },
                { head: 'Size', cell: ({ original_size }) => original_size, isNumber: true },
                { head: 'Filled', cell: ({ size_matched }) => size_matched, isNumber: true },
              ]}
            />
            {data.length === PAGE && <p class="muted">The first {PAGE} orders are shown.</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

export function AccountView({ address }: { address: string }) {
  const account = useResource(
    (signal) =>
      send<AccountCash>({ method: 'GET', path: `/accounts/${address}`, auth: 'operator', signal }),
    [address],
  );
  return (
    <div class="stack">
      <p>
        <a href={linkTo(['accounts'])}>All accounts</a>
      </p>
      <Loaded resource={account}>
        {(cash) => (
          <>
            <div class="panel stack">
              <h1>Account</h1>
              <p class="row">
                <Id text={cash.address} /> <span class="badge">{cash.wallet}</span>
              </p>
              <CashFigures cash={cash} />
              <Writes
                writes={[depositWrite(cash.address), withdrawalWrite(cash.address)]}
                onDone={account.reload}
              />
            </div>
            <OwnerPanel address={cash.owner} />
          </>
        )}
      </Loaded>
    </div>
  );
}
