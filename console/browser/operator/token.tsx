/**
 * The operator's token: in memory only, gone with the page. Every request of the operator's pages
 * carries it.
 */
import { signal, useSignal } from '@preact/signals';
import { Action, Field, setter, useTitle } from '../kit/index.ts';
import { type Answer, ExchangeError, requestLog, send, setAuthorizer } from '../wire/index.ts';

/** Who the token belongs to, and what it may do; `you` is '' where operators share one token. */
type OperatorFacts = Answer<'GET', '/operators', 'operator'>;

const TOKEN_CHARACTERS = { least: 1, most: 512 } as const;

let token = '';

/** Undefined until a token was accepted. */
export const operator = signal<OperatorFacts | undefined>(undefined);
/** Whether the functions of the sandbox exist here. */
export const isSandbox = signal(false);
/** Why the exchange ended the session; '' if it did not. */
const endOfSession = signal('');
/** The name in the last write of operators who share one token. */
export const lastName = signal('');

setAuthorizer(
  async () => ({ authorization: `Bearer ${token}` }),
  () => {
    // The token was accepted before: it was changed, or the exchange was started with another one.
    if (operator.peek() !== undefined) {
      signOut();
      endOfSession.value = 'The exchange no longer accepts the token. Sign in with the one it has.';
    }
    return false;
  },
);

/** Tries a token. Rejects if the exchange does not accept it; then nobody is signed in. */
async function signIn(entered: string): Promise<void> {
  const { least, most } = TOKEN_CHARACTERS;
  const text = entered.trim();
  if (text.length < least || text.length > most || /[^\x21-\x7e]/.test(text)) {
    throw new Error(`A token has ${least} to ${most} printable characters without spaces.`);
  }
  token = text;
  try {
    isSandbox.value = (await send({ method: 'GET', path: '/ui/facts.json' })).sandbox;
    operator.value = await send({ method: 'GET', path: '/operators', auth: 'operator' });
    endOfSession.value = '';
  } catch (failure) {
    // An operator with few roles may not list the operators, and is one all the same.
    if (failure instanceof ExchangeError && failure.status === 403) {
      operator.value = { you: '', resolutions_need_two: false, data: [] };
      return;
    }
    token = '';
    throw failure;
  }
}

/** Forgets the token, who had it, and all that was asked with it. */
export function signOut(): void {
  token = '';
  operator.value = undefined;
  endOfSession.value = '';
  lastName.value = '';
  requestLog.value = [];
}

/** What an operator sees first: the field for the token. */
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
        onInput={setter(entered)}
      />
      <div>
        <Action tone="main" type="submit" run={() => signIn(entered.value)}>
          Sign in
        </Action>
      </div>
    </form>
  );
}
