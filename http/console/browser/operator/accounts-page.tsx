/** Accounts with their cash, owners with their standing, and the movements of money. */
import { useSignal } from '@preact/signals';
import {
  Field,
  goTo,
  grouped,
  Id,
  Loaded,
  linkTo,
  Moment,
  place,
  Table,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { type AccountOrder, send } from '../wire/index.ts';
import type { Write } from './action-dialog.tsx';
import { Writes } from './writes.tsx';

interface Cash {
  readonly address: string;
  readonly owner: string;
  readonly wallet: string;
  readonly balance: string;
  readonly available: string;
  readonly held: string;
}

type Standing = 'good' | 'closed_only' | 'banned';

interface AccountRow extends Cash {
  readonly standing: Standing;
}

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

function StandingBadge({ standing }: { standing: Standing }) {
  const text = standing.replace('_', ' ');
  return <span class={`badge ${STANDING_TONES[standing]}`}>{text}</span>;
}

const PAGE = 100;

/** A new idempotency key, so that a click that is repeated moves money once. */
function newKey(): string {
  return `console-${crypto.getRandomValues(new BigUint64Array(2)).join('-')}`;
}

function depositWrite(account: string): Write {
  return {
    ...{ title: 'Deposit', method: 'POST', route: '/deposits' },
    ...{ start: { account, key: newKey() }, hidden: ['key'], submit: 'Deposit' },
  };
}

function withdrawalWrite(account: string): Write {
  return {
    ...{ title: 'Withdraw', method: 'POST', route: '/withdrawals' },
    ...{ start: { account, key: newKey() }, hidden: ['key'], submit: 'Withdraw' },
    warnOf: ({ amount }) => `${String(amount)} units leave the exchange from ${account}.`,
  };
}

function ownerWrites(owner: string): readonly Write[] {
  return [
    {
      ...{ title: 'Change the standing', method: 'POST', route: '/owners/{address}/standing' },
      ...{ params: { address: owner }, submit: 'Set the standing' },
      note: 'It holds for all accounts of the owner. Orders that are no longer allowed are cancelled.',
    },
    {
      ...{ title: 'Cancel orders', method: 'DELETE', route: '/owners/{address}/orders' },
      ...{ params: { address: owner }, submit: 'Cancel the orders' },
      note: 'Without ids and without a market, all open orders of the owner.',
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

function CashFigures({ cash }: { cash: Cash }) {
  const figures = [
    ['balance', cash.balance],
    ['available', cash.available],
    ['held by orders', cash.held],
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

function OwnerPanel({ address }: { address: string }) {
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
            <h3>API keys</h3>
            <Table
              label="API keys"
              rows={view.keys}
              keyOf={({ api_key }) => api_key}
              empty="The owner has no valid key."
              columns={[
                { head: 'Key', cell: ({ api_key }) => <Id text={api_key} /> },
                { head: 'Purpose', cell: ({ purpose }) => purpose },
                { head: 'Issued', cell: ({ issued }) => <Moment timeMs={Date.parse(issued)} /> },
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
        )}
      </Loaded>
    </section>
  );
}

function AccountView({ address }: { address: string }) {
  const account = useResource(
    (signal) =>
      send<Cash>({ method: 'GET', path: `/accounts/${address}`, auth: 'operator', signal }),
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

const OPEN_ACCOUNT: Write = {
  ...{ title: 'Open an account', method: 'POST', route: '/accounts' },
  submit: 'Open the account',
};

function AccountList() {
  const sought = useSignal('');
  const offset = useSignal(0);
  const accounts = useResource(
    (signal) =>
      send<{ readonly data: readonly AccountRow[]; readonly next_offset: number | null }>({
        ...{ method: 'GET', path: '/accounts', auth: 'operator', signal },
        query: { offset: offset.value, limit: PAGE },
      }),
    [offset.value],
  );
  return (
    <div class="panel stack">
      <div class="row apart">
        <h1>Accounts</h1>
        <Writes writes={[OPEN_ACCOUNT]} onDone={accounts.reload} />
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (sought.value.trim() !== '') goTo(['accounts', sought.value.trim().toLowerCase()]);
        }}
      >
        <Field
          label="Address"
          value={sought.value}
          placeholder="0x…"
          maxLength={42}
          onInput={(value) => {
            sought.value = value;
          }}
        />
        <button type="submit">Show the account</button>
      </form>
      <Loaded resource={accounts} lines={8}>
        {({ data, next_offset }) => (
          <>
            <Table
              label="Accounts"
              rows={data}
              keyOf={({ address }) => address}
              empty="There is no account yet."
              columns={[
                {
                  head: 'Account',
                  cell: ({ address }) => <Id text={address} href={linkTo(['accounts', address])} />,
                },
                { head: 'Wallet', cell: ({ wallet }) => wallet, isMinor: true },
                {
                  head: 'Standing',
                  cell: ({ standing }) => <StandingBadge standing={standing} />,
                },
                { head: 'Available', isNumber: true, cell: ({ available }) => grouped(available) },
                { head: 'Held', isNumber: true, cell: ({ held }) => grouped(held) },
              ]}
            />
            <div class="row">
              {offset.value > 0 && (
                <button
                  type="button"
                  onClick={() => {
                    offset.value = Math.max(0, offset.value - PAGE);
                  }}
                >
                  Previous
                </button>
              )}
              {next_offset !== null && (
                <button
                  type="button"
                  onClick={() => {
                    offset.value = next_offset;
                  }}
                >
                  Next
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

export function AccountsPage() {
  useTitle('Accounts');
  const [, address] = place.value.segments;
  return address === undefined ? (
    <AccountList />
  ) : (
    <AccountView address={encodeURIComponent(address)} />
  );
}
