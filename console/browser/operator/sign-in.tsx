/** What an operator sees first: the field for the token. */
import { useSignal } from '@preact/signals';
import { Action, Field, useTitle } from '../kit/index.ts';
import { endOfSession, signIn } from './token.ts';

export function SignIn() {
  useTitle('Operator');
  const entered = useSignal('');
  return (
    <form class="panel narrow stack" onSubmit={(event) => event.preventDefault()}>
      <h1>Operator's pages</h1>
      {endOfSession.value !== '' && (
        <p class="stale" role="alert">
          {endOfSession.value}
        </p>
      )}
      <p class="muted">
        The token is in the file <code>admin.token</code> of the data folder, unless the exchange
        was started with <code>--admin-token</code> or a file of operators. This page keeps it in
        memory only.
      </p>
      <Field
        label="Token"
        type="password"
        value={entered.value}
        maxLength={512}
        onInput={(value) => {
          entered.value = value;
        }}
      />
      <div>
        <Action tone="main" type="submit" run={() => signIn(entered.value)}>
          Sign in
        </Action>
      </div>
    </form>
  );
}
