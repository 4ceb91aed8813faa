/** A wallet of a browser (EIP-1193) that signs with viem. */
import { privateKeyToAccount } from 'viem/accounts';
import type { WalletProvider } from '../../../console/browser/signing/wallet-signer.ts';

/** What the wallet does with each call of a method. */
type Refusals = Readonly<Record<string, unknown>>;

/** An error as wallets throw it: an object with a code. */
export function walletError(code: number, message: string): Error & { readonly code: number } {
  return Object.assign(new Error(message), { code });
}

export class FakeWallet implements WalletProvider {
  readonly address: string;
  /** The methods that were called, in order. */
  readonly calls: string[] = [];
  /** What a method throws. A test may change it. */
  refusals: Refusals = {};
  /** What a method answers instead of the truth. */
  answers: Refusals = {};
  chainId: number;
  readonly #account: ReturnType<typeof privateKeyToAccount>;
  readonly #listeners = new Map<string, Set<(detail: unknown) => void>>();

  constructor(privateKey: string, chainId = 137) {
    // Safe: viem refuses any other text.
    this.#account = privateKeyToAccount(privateKey as `0x${string}`);
    this.address = this.#account.address;
    this.chainId = chainId;
  }

  async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
    this.calls.push(method);
    if (method in this.refusals) throw this.refusals[method];
    if (method in this.answers) return this.answers[method];
    switch (method) {
      case 'eth_requestAccounts':
        return [this.address];
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`;
      case 'wallet_switchEthereumChain':
        // Safe: the signer sends this parameter.
        this.chainId = Number((params[0] as { chainId: string }).chainId);
        return null;
      case 'eth_signTypedData_v4':
        return this.#sign(String(params[0]), String(params[1]));
      default:
        throw walletError(4200, `this wallet has no ${method}`);
    }
  }

  on(event: string, listener: (detail: unknown) => void): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  removeListener(event: string, listener: (detail: unknown) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  emit(event: string, detail: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(detail);
  }

  /** How many listeners there are. */
  get listening(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** As MetaMask does: for its own account only, on the chain of the domain only. */
  async #sign(address: string, text: string): Promise<string> {
    if (address.toLowerCase() !== this.address.toLowerCase()) {
      throw walletError(4100, 'the account is not permitted');
    }
    const { domain, types, primaryType, message } = JSON.parse(text);
    if (domain.chainId !== this.chainId) {
      throw walletError(-32602, `chain ${domain.chainId} is not the active one`);
    }
    if (types.EIP712Domain === undefined) throw walletError(-32602, 'EIP712Domain is missing');
    const { EIP712Domain: _, ...structs } = types;
    return this.#account.signTypedData({ domain, types: structs, primaryType, message });
  }
}
