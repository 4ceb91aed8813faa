// A trader with the unchanged published client and the host of an exchange. The key is a fresh one,
// so the account has never been seen before.
import { type ApiKeyCreds, type Chain, ClobClient } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

export interface Trader {
  readonly name: string;
  readonly address: string;
  /** A client of the same wallet for the exchange at `host`. */
  clientAt(host: string, credentials?: ApiKeyCreds): ClobClient;
  readonly client: ClobClient;
  readonly credentials: ApiKeyCreds;
}

/** Makes a wallet, of a new key by default, and has its API credentials issued. */
export async function newTrader(
  name: string,
  host: string,
  chain: Chain,
  key = generatePrivateKey(),
): Promise<Trader> {
  const account = privateKeyToAccount(key);
  const signer = createWalletClient({ account, transport: http(host) });
  const credentials = await new ClobClient({ host, chain, signer }).createOrDeriveApiKey();
  const clientAt = (address: string, creds = credentials): ClobClient =>
    new ClobClient({ host: address, chain, signer, creds });
  return { name, address: account.address, clientAt, client: clientAt(host), credentials };
}
