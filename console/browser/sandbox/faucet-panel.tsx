/** Play money for any address. */
import { useSignal } from '@preact/signals';
import { Action, Field, grouped, setter, toast } from '../kit/index.ts';
import { send } from '../wire/index.ts';

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
