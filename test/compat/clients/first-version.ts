/**
 * `@polymarket/clob-client`, the first version of the client. It signs orders of 12 fields and
 * takes its arguments in another order, but most of its methods have the names and the results of
 * the second version. So the calls of that version are made with it too.
 */
import { type Chain, ClobClient } from '@polymarket/clob-client';
import type { ClobClient as SecondClient } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Trader } from '../../published-client.ts';
import type { TraderMaker } from '../stage.ts';

/** Safe: no method is called that the first version does not have. */
function asSecond(client: ClobClient): SecondClient {
  return client as unknown as SecondClient;
}

/** Safe: traders of `newFirstTrader` have only clients of the first version. */
export function asFirst(client: SecondClient): ClobClient {
  return client as unknown as ClobClient;
}

/** A trader with the unchanged client of the first version. */
export const newFirstTrader: TraderMaker = async (name, host, secondChain): Promise<Trader> => {
  // Safe: both packages number the chains as everybody does.
  const chain = secondChain as unknown as Chain;
  const account = privateKeyToAccount(generatePrivateKey());
  const signer = createWalletClient({ account, transport: http(host) });
  const credentials = await new ClobClient(host, chain, signer).createOrDeriveApiKey();
  const clientAt: Trader['clientAt'] = (address, creds = credentials) =>
    asSecond(new ClobClient(address, chain, signer, creds));
  return { name, address: account.address, clientAt, client: clientAt(host), credentials };
};
