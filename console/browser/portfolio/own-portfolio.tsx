/** The portfolio of the account that is signed in, with all that it may do. */
import { useSignal } from '@preact/signals';
import { ownAccounts, ownChannelFailure, retryOwnChannel } from '../identity/index.ts';
import {
  Choice,
  Failure,
  Freshness,
  Id,
  place,
  replaceQuery,
  set,
  shortened,
  toast,
} from '../kit/index.ts';
import { ConvertDialog } from '../moves/convert-dialog.tsx';
import { MergeDialog } from '../moves/merge-dialog.tsx';
import { cashOf, useMove } from '../moves/moves.ts';
import { SplitDialog } from '../moves/split-dialog.tsx';
import { pageStreams } from '../streams/streams.ts';
import type { OpenPosition, RedemptionAnswer } from '../wire/index.ts';
import { AccountPanels } from './account-panels.tsx';
import { NoticesPanel } from './notices-panel.tsx';
import { OrdersPanel } from './orders-panel.tsx';
import type { CashFigures } from './summary.tsx';

type OpenForm =
  | { readonly kind: 'split' }
  | { readonly kind: 'merge' | 'convert'; readonly position: OpenPosition };

interface FormProps {
  readonly account: string;
  readonly form: OpenForm;
  readonly onClose: () => void;
}

function Form({ account, form, onClose }: FormProps) {
  if (form.kind === 'split') return <SplitDialog account={account} onClose={onClose} />;
  const props = { account, position: form.position, onClose };
  return form.kind === 'merge' ? <MergeDialog {...props} /> : <ConvertDialog {...props} />;
}

/** Undefined until the user channel has told the balances. */
function cashNow(account: string): CashFigures | undefined {
  if (!pageStreams().user.isLoaded.value) return undefined;
  const cash = cashOf(account);
  return { freeMicros: Number(cash?.available ?? 0), heldMicros: Number(cash?.held ?? 0) };
}

/** All tokens of the market are redeemed, also those of the outcome that pays nothing. */
function redemptionText(position: OpenPosition, { yes, no, cash }: RedemptionAnswer): string {
  const { outcome, oppositeOutcome, outcomeIndex } = position;
  const [first, second] =
    outcomeIndex === 0 ? [outcome, oppositeOutcome] : [oppositeOutcome, outcome];
  const given = [
    ...(yes === '0' ? [] : [`${yes} ${first}`]),
    ...(no === '0' ? [] : [`${no} ${second}`]),
  ];
  return `Redeemed ${given.join(' and ')} for $${cash}.`;
}

function AccountChoice({ accounts, account }: { accounts: readonly string[]; account: string }) {
  return (
    <Choice
      label="Account"
      value={account}
      options={accounts.map((one) => [one, shortened(one)] as const)}
      onChange={(chosen) =>
        replaceQuery({ ...Object.fromEntries(place.peek().query), account: chosen })
      }
    />
  );
}

interface OwnAccountProps {
  /** Of who is signed in. */
  readonly address: string;
  /** The one that is shown. */
  readonly account: string;
  readonly accounts: readonly string[];
}

function OwnAccount({ address, account, accounts }: OwnAccountProps) {
  const form = useSignal<OpenForm | undefined>(undefined);
  const move = useMove();
  const { user } = pageStreams();
  const failure = ownChannelFailure.value;
  const openOrders = user.isLoaded.value ? ` (${user.orders.value.size})` : '';
  async function redeem(position: OpenPosition): Promise<void> {
    const terms = { account, market: position.conditionId };
    toast(redemptionText(position, await move<RedemptionAnswer>('redeem', terms)));
  }
  return (
    <>
      <div class="row apart">
        <h1>Portfolio</h1>
        <div class="row">
          {accounts.length > 1 && <AccountChoice accounts={accounts} account={account} />}
          <Id text={account} />
          <button type="button" onClick={() => set(form, { kind: 'split' })}>
            Split cash into tokens
          </button>
        </div>
      </div>
      {failure !== undefined && <Failure failure={failure} retry={retryOwnChannel} />}
      <Freshness state={user.state.value} />
      <AccountPanels
        account={account}
        isOwn
        hasHistory
        cash={cashNow(account)}
        actions={{
          redeem,
          merge: (position) => {
            form.value = { kind: 'merge', position };
          },
          convert: (position) => {
            form.value = { kind: 'convert', position };
          },
        }}
        extraTabs={[
          {
            name: 'orders',
            text: `Open orders${openOrders}`,
            content: () => <OrdersPanel account={address} />,
          },
          {
            name: 'notices',
            text: 'Notices',
            content: () => <NoticesPanel address={address} changes={[user.trades, user.orders]} />,
          },
        ]}
      />
      {form.value !== undefined && (
        <Form account={account} form={form.value} onClose={() => set(form, undefined)} />
      )}
    </>
  );
}

/** `address` is in lower case. */
export function OwnPortfolio({ address }: { address: string }) {
  const accounts = ownAccounts();
  const wanted = place.value.query.get('account') ?? address;
  const account = accounts.includes(wanted) ? wanted : address;
  return <OwnAccount key={account} address={address} account={account} accounts={accounts} />;
}
