/**
 * The operator's token: in memory only, gone with the page. Every request of the operator's pages
 * carries it.
 */
import { signal } from '@preact/signals';
import { ExchangeError, send, setAuthorizer } from '../wire/index.ts';

/** Who the token belongs to, and what it may do. */
export interface OperatorFacts {
  /** '' where operators share one token. */
  readonly you: string;
  readonly resolutions_need_two: boolean;
  readonly data: readonly { readonly name: string; readonly roles: readonly string[] }[];
}

const TOKEN_CHARACTERS = { least: 1, most: 512 } as const;

let token = '';

/** Undefined until a token was accepted. */
export const operator = signal<OperatorFacts | undefined>(undefined);

setAuthorizer(async () => ({ authorization: `Bearer ${token}` }));

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

export function signOut(): void {
  token = '';
  operator.value = undefined;
}
