/** Accounts with their cash, restricted owners, movements of money, and what builders earn. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  type Column,
  Field,
  grouped,
  Id,
  linkTo,
  localTime,
  place,
  Segments,
  Tabs,
  useTitle,
} from '../kit/index.ts';
import {
  type AccountCash,
  AccountView,
  depositWrite,
  OwnerPanel,
  type Standing,
  StandingBadge,
} from './account.tsx';
import type { Write } from './action-dialog.tsx';
import { byOffset, Paged } from './paged.tsx';
import { Writes } from './writes.tsx';

interface AccountRow extends AccountCash {
  readonly standing: Standing;
}

const OPEN_ACCOUNT: Write = {
  ...{ title: 'Open an account', method: 'POST', route: '/accounts' },
  words: { address: { hint: "The owner's address, or that of its wallet." } },
  submit: 'Open the account',
};

const ACCOUNT_COLUMNS: readonly Column<AccountRow>[] = [
  {
    head: 'Account',
    cell: ({ address }) => <Id text={address} href={linkTo(['accounts', address])} />,
  },
  { head: 'Wallet', cell: ({ wallet }) => wallet, isMinor: true },
  { head: 'Standing', cell: ({ standing }) => <StandingBadge standing={standing} /> },
  { head: 'Available, units', isNumber: true, cell: ({ available }) => grouped(available) },
  { head: 'Held, units', isNumber: true, isMinor: true, cell: ({ held }) => grouped(held) },
];

/** What the exchange searches by; other texts would be refused while they are typed. */
const BEGINNING = /^0x[0-9a-fA-F]{0,40}$/;

function AccountList() {
  const sought = useSignal('');
  const turn = useSignal(0);
  const text = sought.value.trim();
  const isFit = text === '' || BEGINNING.test(text);
  return (
    <>
      <div class="row apart">
        <Field
          label="Search"
          type="search"
          value={sought.value}
          placeholder="0x…"
          maxLength={42}
          fault={isFit ? '' : 'An address begins with 0x and has hex digits.'}
          hint="How the address of the account or of its owner begins."
          onInput={(value) => {
            sought.value = value;
          }}
        />
        <Writes
          writes={[OPEN_ACCOUNT]}
          onDone={() => {
            turn.value += 1;
          }}
        />
      </div>
      <Paged
        label="Accounts"
        path="/accounts"
        query={{ search: text !== '' && isFit ? text : undefined }}
        turn={turn.value}
        keyOf={({ address }) => address}
        columns={ACCOUNT_COLUMNS}
        empty="No account fits."
        {...byOffset<AccountRow>()}
      />
    </>
  );
}

interface Restricted {
  readonly owner: string;
  readonly standing: Standing;
  readonly accounts: number;
}

function RestrictedOwners() {
  return (
    <Paged
      label="Restricted owners"
      path="/owners"
      keyOf={({ owner }) => owner}
      empty="No owner is restricted."
      columns={[
        {
          head: 'Owner',
          cell: ({ owner }) => <Id text={owner} href={linkTo(['accounts', 'owner', owner])} />,
        },
        { head: 'Standing', cell: ({ standing }) => <StandingBadge standing={standing} /> },
        { head: 'Accounts', isNumber: true, cell: ({ accounts }) => accounts },
      ]}
      {...byOffset<Restricted>()}
    />
  );
}

interface Movement {
  readonly seq: number;
  readonly time: string;
  readonly by: string;
  readonly reason: string;
  readonly command: { readonly account: string; readonly amountMicros: number };
}

interface MovementPage {
  readonly data: readonly Movement[];
  readonly next_before_seq: number | null;
}

const MOVEMENTS = [
  ['deposit', 'Deposits'],
  ['withdraw', 'Withdrawals'],
] as const;

/** Whole micros as a decimal. */
function unitsOf(micros: number): string {
  const text = String(micros).padStart(7, '0');
  const decimals = text.slice(-6).replace(/0+$/, '');
  return grouped(decimals === '' ? text.slice(0, -6) : `${text.slice(0, -6)}.${decimals}`);
}

function Movements() {
  const kind = useSignal<(typeof MOVEMENTS)[number][0]>('deposit');
  const turn = useSignal(0);
  return (
    <>
      <div class="row apart">
        <Segments
          label="Which movements"
          value={kind.value}
          options={MOVEMENTS}
          onChange={(value) => {
            kind.value = value;
          }}
        />
        <Writes
          writes={[depositWrite('')]}
          onDone={() => {
            turn.value += 1;
          }}
        />
      </div>
      <Paged
        label={kind.value === 'deposit' ? 'Deposits' : 'Withdrawals'}
        path="/actions"
        query={{ kind: kind.value }}
        turn={turn.value}
        mark="before_seq"
        rowsOf={({ data }: MovementPage) => data}
        nextOf={({ next_before_seq }: MovementPage) => next_before_seq}
        keyOf={({ seq }) => seq}
        empty="No operator has moved money in this way yet."
        columns={[
          { head: 'Time', cell: ({ time }) => localTime(Date.parse(time)) },
          {
            head: 'Account',
            cell: ({ command: { account } }) => (
              <Id text={account} href={linkTo(['accounts', account])} />
            ),
          },
          {
            ...{ head: 'Units', isNumber: true },
            cell: ({ command }) => unitsOf(command.amountMicros),
          },
          { head: 'By', cell: ({ by }) => by, isMinor: true },
          { head: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
    </>
  );
}

interface Builder {
  readonly builder_code: string;
  readonly account: string;
  readonly fee_share_bps: number;
  readonly taker_rate_bps: number;
  readonly maker_rate_bps: number;
}

/** The code is a part of the route's path, so it is asked for first. */
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

function bps(rate: number): string {
  return `${rate} bps`;
}

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
          onInput={(value) => {
            code.value = value.trim();
          }}
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
      <Paged
        label="Builders"
        path="/builders"
        turn={turn.value}
        keyOf={({ builder_code }) => builder_code}
        empty="No builder earns anything yet. Enter a code to set what it earns."
        columns={[
          { head: 'Code', cell: ({ builder_code }) => <Id text={builder_code} /> },
          { head: 'Account', cell: ({ account }) => <Id text={account} />, isMinor: true },
          { head: 'Share of fees', isNumber: true, cell: (one) => bps(one.fee_share_bps) },
          { head: 'Of takers', isNumber: true, cell: (one) => bps(one.taker_rate_bps) },
          { head: 'Of makers', isNumber: true, cell: (one) => bps(one.maker_rate_bps) },
        ]}
        {...byOffset<Builder>()}
      />
    </>
  );
}

const TABS = [
  ['accounts', 'Accounts'],
  ['restricted', 'Restricted owners'],
  ['money', 'Money'],
  ['builders', 'Builders'],
] as const;
type Tab = (typeof TABS)[number][0];

const VIEWS: Readonly<Record<Tab, () => ComponentChildren>> = {
  accounts: () => <AccountList />,
  restricted: () => <RestrictedOwners />,
  money: () => <Movements />,
  builders: () => <Builders />,
};

function Lists() {
  const tab = useSignal<Tab>('accounts');
  return (
    <div class="panel stack">
      <h1>Accounts</h1>
      <Tabs
        label="What is shown"
        tabs={TABS}
        chosen={tab.value}
        onChoose={(name) => {
          tab.value = name;
        }}
      >
        <div class="stack">{VIEWS[tab.value]()}</div>
      </Tabs>
    </div>
  );
}

export function AccountsPage() {
  useTitle('Accounts');
  const [, address, owner] = place.value.segments;
  if (address === undefined) return <Lists />;
  if (owner === undefined) return <AccountView address={encodeURIComponent(address)} />;
  return (
    <div class="stack">
      <a href={linkTo(['accounts'])}>All accounts</a>
      <OwnerPanel address={encodeURIComponent(owner)} />
    </div>
  );
}
