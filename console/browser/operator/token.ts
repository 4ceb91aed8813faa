/**
 * The operator's token: in memory only, gone with the page. Every request of the operator's pages
 * carries it.
 */
import { signal } from '@preact/signals';
import { ExchangeError, requestLog, send, setAuthorizer } from '../wire/index.ts';

/** Who the token belongs to, and what it may do. */
export interface OperatorFacts {
  /** '' where operators share one token. */
  readonly you: string;
  readonly resolutions_need_two: boolean;
  readonly data: readonly {
    readonly name: string;
    readonly roles: readonly string[];
    readonly tokens: number;
  }[];
}

const TOKEN_CHARACTERS = { least: 1, most: 512 } as const;

let token = '';

/** Undefined until a token was accepted. */
export const operator = signal<OperatorFacts | undefined>(undefined);
/** Why the exchange ended the session; '' if it did not. */
export const endOfSession = signal('');
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
export async function signIn(entered: string): Promise<void> {
  const { least, most } = TOKEN_CHARACTERS;
  const text = entered.trim();
  if (text.length < least || text.length > most || /[^\x21-\x7e]/.test(text)) {
    throw new Error(`A token has ${least} to ${most} printable characters without spaces.`);
  }
  token = text;
  try {
    operator.value = await send<OperatorFacts>({
      ...{ method: 'GET', path: '/operators', auth: 'operator' },
    });
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
