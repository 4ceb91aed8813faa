/** What an operator does for many people at once: invitations, and deposits from a list. */
import { useSignal } from '@preact/signals';
import { Action, Field, RawText, setter, TextArea } from '../kit/index.ts';
import { moveKey } from '../signing/random.ts';
import { send, sendAny } from '../wire/index.ts';
import { lastName, operator } from './token.tsx';

/** Links that each let one person in. They are shown once: the exchange does not keep them. */
export function Invitations() {
  const count = useSignal('10');
  const amount = useSignal('1000');
  const days = useSignal('7');
  const links = useSignal('');
  async function invite(): Promise<void> {
    const body = {
      count: Number(count.value),
      amount: amount.value.trim(),
      days: Number(days.value),
    };
    const route = { method: 'POST', path: '/invitations', auth: 'operator' } as const;
    const { invitations } = await send({ ...route, body });
    const { publicUrl } = await send({ method: 'GET', path: '/ui/facts.json' });
    links.value = invitations.map(({ path }) => `${publicUrl ?? ''}${path}`).join('\n');
  }
  return (
    <>
      <form class="row">
        <Field label="Invitations" value={count.value} onInput={setter(count)} />
        <Field
          label="Play money of each"
          value={amount.value}
          unit="units"
          onInput={setter(amount)}
        />
        <Field label="Days until they end" value={days.value} onInput={setter(days)} />
        <Action tone="main" type="submit" run={invite}>
          Make invitations
        </Action>
      </form>
      <p class="muted">
        Each lets one person in. The links are shown only now. Before you send them, replace the
        address of this machine in them by the one under which people reach the public listener.
      </p>
      {links.value !== '' && (
        <section class="panel" aria-labelledby="new-invitations">
          <h2 id="new-invitations">New invitations</h2>
          <RawText title="Links" text={links.value} copy="Copy all" />
        </section>
      )}
    </>
  );
}

const DEPOSIT = /^\s*(0x[0-9a-fA-F]{40})\s*[,;\t]\s*(\d+(?:\.\d{1,6})?)\s*$/;
/** Some 1,000 lines. */
const MOST_CHARACTERS = 60_000;

/**
 * Deposits as lines of CSV, made one after the other. After a failure the same lines can be sent
 * again: those that were made have the same keys, and move nothing twice.
 */
export function Deposits() {
  const text = useSignal('');
  const reason = useSignal('');
  const run = useSignal(moveKey());
  const made = useSignal('');
  const lines = text.value.split('\n').filter((line) => line.trim() !== '');
  const wrong = lines.find((line) => !DEPOSIT.test(line));
  const isShared = operator.value?.you === '';
  async function deposit(): Promise<void> {
    made.value = '';
    const said = { reason: reason.value, ...(isShared ? { by: lastName.value } : {}) };
    const route = { method: 'POST', path: '/deposits', auth: 'operator' } as const;
    for (const [place, line] of lines.entries()) {
      const [, account = '', amount = ''] = DEPOSIT.exec(line) ?? [];
      await sendAny({ ...route, body: { account, amount, key: `${run.value}-${place}`, ...said } });
      made.value = `${place + 1} of ${lines.length} deposits are made.`;
    }
    run.value = moveKey();
    text.value = '';
  }
  return (
    <>
      <TextArea
        label="Deposits: on each line an account, a comma and an amount"
        value={text.value}
        maxLength={MOST_CHARACTERS}
        fault={wrong === undefined ? '' : `This line has no account and amount: ${wrong}`}
        onInput={setter(text)}
      />
      <div class="form">
        {isShared && <Field label="Your name" value={lastName.value} onInput={setter(lastName)} />}
        <Field label="Reason" value={reason.value} onInput={setter(reason)} />
      </div>
      <p class="row">
        <Action tone="main" isDisabled={lines.length === 0 || wrong !== undefined} run={deposit}>
          Make the deposits
        </Action>
        <span role="status">{made.value}</span>
      </p>
    </>
  );
}
