/** What an operator sees first: the field for the token. */
import { useSignal } from '@preact/signals';
import { Action, Field, useTitle } from '../kit/index.ts';
import { signIn } from './token.ts';

export function SignIn() {
  useTitle('Operator');
  const entered = useSignal('');
  return (
    <form class="panel narrow" onSubmit={(event) => event.preventDefault()}>
      <h1>Operator's pages</h1>
      <p>
        The token is in the file <code>admin.token</code> of the data folder, unless the exchange
        was started with <code>--admin-token</code> or a file of operators. It stays in the memory
        of this page.
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
      <p>
        <Action tone="main" type="submit" run={() => signIn(entered.value)}>
          Sign in
        </Action>
      </p>
    </form>
  );
}
