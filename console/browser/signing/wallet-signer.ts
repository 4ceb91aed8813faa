/**
 * Signs with a wallet of the browser (EIP-1193). The wallet asks its user each time.
 *
 * A wallet signs typed data of a chain only while it is on that chain, so it is asked to switch
 * first. A chain that it does not know is not added: that needs the address of a node, and this
 * page names no other server.
 */
import { type Signer, SigningError } from './signer.ts';
import type { TypedData } from './typed-data.ts';

/** EIP-1193. */
export interface WalletProvider {
  request(call: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }): Promise<unknown>;
  on?(event: string, listener: (detail: unknown) => void): unknown;
  removeListener?(event: string, listener: (detail: unknown) => void): unknown;
}

// Codes of EIP-1193 and EIP-3085.
const REJECTED = 4001;
const UNKNOWN_CHAIN = 4902;
const ALREADY_ASKED = -32002;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;
/** What is shown of a text of the wallet. */
const MAX_SHOWN = 200;

/** What an error of a wallet says. Some wrap the error of the wallet in `data.originalError`. */
function readError(error: unknown): { readonly codes: readonly unknown[]; readonly text: string } {
  const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
    // Safe: any object can be read by key.
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { code, message, data } = fieldsOf(error);
  const inner = fieldsOf(fieldsOf(data).originalError);
  const text = typeof message === 'string' && message !== '' ? message : 'it gave no reason';
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return { codes: [code, inner.code], text: shown };
}

function failureOf(error: unknown, act: string): SigningError {
  const { codes, text } = readError(error);
  if (codes.includes(REJECTED)) {
    return new SigningError('rejected', `You refused in the wallet to ${act}.`);
  }
  if (codes.includes(ALREADY_ASKED)) {
    const message = 'The wallet still shows an earlier question. Open it and answer that first.';
    return new SigningError('wallet_failed', message);
  }
  return new SigningError('wallet_failed', `The wallet failed to ${act}: ${text}`);
}

async function ask(
  provider: WalletProvider,
  method: string,
  params: readonly unknown[],
  act: string,
): Promise<unknown> {
  try {
    return await provider.request({ method, params });
  } catch (error) {
    throw failureOf(error, act);
  }
}

/** The addresses in the answer of a wallet, in lower case. */
function addressesIn(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) return [];
  return answer
    .filter((one): one is string => typeof one === 'string' && ADDRESS.test(one))
    .map((address) => address.toLowerCase());
}

/** Asks the user which accounts the page may use. The first one is the wallet's current one. */
export async function connectWallet(provider: WalletProvider): Promise<readonly string[]> {
  const addresses = addressesIn(
    await ask(provider, 'eth_requestAccounts', [], 'show an account to this page'),
  );
  if (addresses.length > 0) return addresses;
  throw new SigningError('wallet_failed', 'The wallet showed no account to this page.');
}

async function chainOf(provider: WalletProvider): Promise<number> {
  const answer = await ask(provider, 'eth_chainId', [], 'say which chain it is on');
  const chainId = Number(answer);
  if (Number.isSafeInteger(chainId) && chainId > 0) return chainId;
  throw new SigningError('wallet_failed', 'The wallet did not say which chain it is on.');
}

async function switchChain(provider: WalletProvider, chainId: number): Promise<void> {
  const actual = await chainOf(provider);
  if (actual === chainId) return;
  const isOn = `The wallet is on chain ${actual}; this exchange signs for chain ${chainId}.`;
  const params = [{ chainId: `0x${chainId.toString(16)}` }];
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params });
  } catch (error) {
    const { codes } = readError(error);
    const why = codes.includes(UNKNOWN_CHAIN)
      ? `The wallet does not know that chain: add it there, then try again.`
      : `The wallet did not switch. Choose chain ${chainId} there, then try again.`;
    throw new SigningError('wrong_chain', `${isOn} ${why}`);
  }
  const now = await chainOf(provider);
  if (now === chainId) return;
  throw new SigningError('wrong_chain', `${isOn} It stayed on chain ${now}.`);
}

/** A signer with an account of a wallet, which `connectWallet` returned. */
export function walletSigner(provider: WalletProvider, address: string): Signer {
  const lower = address.toLowerCase();
  return {
    address: lower,
    kind: 'wallet',
    signTypedData: async (data: TypedData) => {
      await switchChain(provider, data.domain.chainId);
      const params = [lower, JSON.stringify(data)];
      const signature = await ask(provider, 'eth_signTypedData_v4', params, 'sign');
      if (typeof signature === 'string' && SIGNATURE.test(signature)) return signature;
      const message =
        'The wallet gave something else than a signature of 65 bytes. Wallets that are contracts ' +
        'can not sign here.';
      throw new SigningError('wallet_failed', message);
    },
  };
}

/**
 * Calls `onGone` once, with the reason as a sentence, when the wallet no longer shows the account
 * or ends its connection. Returns a function that stops watching.
 */
export function watchWallet(
  provider: WalletProvider,
  address: string,
  onGone: (reason: string) => void,
): () => void {
  const lower = address.toLowerCase();
  const stop = (): void => {
    provider.removeListener?.('accountsChanged', onAccounts);
    provider.removeListener?.('disconnect', onDisconnect);
  };
  const leave = (reason: string): void => {
    stop();
    onGone(reason);
  };
  function onAccounts(answer: unknown): void {
    const shown = addressesIn(answer);
    if (shown.length === 0) leave('The wallet no longer shows an account to this page.');
    else if (shown[0] !== lower) leave('Another account was chosen in the wallet.');
  }
  function onDisconnect(): void {
    leave('The wallet has lost its connection.');
  }
  provider.on?.('accountsChanged', onAccounts);
  provider.on?.('disconnect', onDisconnect);
  return stop;
}
