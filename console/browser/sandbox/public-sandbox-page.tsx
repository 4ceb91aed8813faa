/** The sandbox on the public listener: the faucet, and where the rest of it is. */

import { useSignal } from '@preact/signals';
import { facts, session } from '../identity/index.ts';
import {
  Action,
  Empty,
  Facts,
  Field,
  grouped,
  Skeleton,
  setter,
  toast,
  useTitle,
} from '../kit/index.ts';
import { type ExchangeFacts, send } from '../wire/index.ts';

/** Play money for any address. */
interface FaucetProps {
  /** The address that is filled in at first. */
  readonly address?: string;
}

export function FaucetPanel({ address = '' }: FaucetProps) {
  const to = useSignal(address);
  const amount = useSignal('1000');
  async function ask(): Promise<void> {
    const body = { address: to.value.trim(), amount: amount.value.trim() };
    const gift = await send({ method: 'POST', path: '/faucet', body });
    toast(`${grouped(gift.amount)} units were added. ${grouped(gift.available)} are available.`);
  }
  return (
    <section class="panel" aria-labelledby="faucet">
      <h2 id="faucet">Faucet</h2>
      <div class="form">
        <Field
          label="Address"
          value={to.value}
          placeholder="0x…"
          maxLength={42}
          onInput={setter(to)}
        />
        <Field
          label="Play money"
          value={amount.value}
          inputMode="decimal"
          unit="units"
          maxLength={30}
          onInput={setter(amount)}
        />
      </div>
      <p>
        <Action tone="main" run={ask}>
          Get play money
        </Action>
      </p>
    </section>
  );
}

const PARTS = [
  ['The crowd', 'Simulated traders keep the books alive; make them faster, still or silent.'],
  ['Faults', 'Delays, refusals, lost messages and false statuses, with what each of them hit.'],
  ['Time', 'Move the clock of the exchange forward, to see orders expire and delays end.'],
  ['Checkpoints', 'Keep the state of the exchange and return to it.'],
] as const;

function OperatorLink({ url }: { url: string | null }) {
  if (url === null) {
    return (
      <p>
        Open the operator's page on the machine where the exchange runs: only that machine is told
        its address.
      </p>
    );
  }
  return (
    <p>
      <a href={`${url}/ui/#/sandbox`}>Open the operator's page of the sandbox</a>
    </p>
  );
}

function OperatorParts({ operatorUrl }: Pick<ExchangeFacts, 'operatorUrl'>) {
  return (
    <section class="panel" aria-labelledby="operator-parts">
      <h2 id="operator-parts">For the operator</h2>
      <p>These parts change the exchange for everybody, so they are on the operator's page:</p>
      <Facts rows={PARTS} />
      <OperatorLink url={operatorUrl} />
      <p>
        That page asks for the operator's token. After <code>npm start</code> it is in the file{' '}
        <code>data/admin.token</code>; with another data folder, in <code>admin.token</code> there.
      </p>
      <p>
        With <code>--memory</code> there is no file: choose a token with{' '}
        <code>--admin-token TOKEN</code>.
      </p>
    </section>
  );
}

export function PublicSandboxPage() {
  useTitle('Sandbox');
  const known = facts.value;
  const identity = session.identity.value;
  if (known === undefined) return <Skeleton />;
  if (!known.sandbox) return <Empty>This exchange has no sandbox.</Empty>;
  const address = identity.kind === 'none' ? '' : identity.address;
  return (
    <div class="stack">
      <h1>Sandbox</h1>
      <p class="muted">All money here is play money.</p>
      <div class="columns">
        <FaucetPanel key={address} address={address} />
        <OperatorParts operatorUrl={known.operatorUrl} />
      </div>
    </div>
  );
}
