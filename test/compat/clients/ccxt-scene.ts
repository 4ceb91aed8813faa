/**
 * ccxt's client of prediction markets, pointed at an exchange as its users would do it: other URLs,
 * and the signature type of a plain wallet.
 */
import ccxt from 'ccxt';
import type { Test } from 'tap';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Stage, startStage } from '../stage.ts';

export type CcxtClient = InstanceType<typeof ccxt.prediction.polymarket>;

export interface CcxtScene {
  readonly stage: Stage;
  /** A client of a new account. */
  readonly client: CcxtClient;
}

/** The one instance is used by all checks, because it loads the markets once. */
export async function startCcxtScene(t: Pick<Test, 'teardown'>): Promise<CcxtScene> {
  const stage = await startStage(t);
  const privateKey = generatePrivateKey();
  const client = new ccxt.prediction.polymarket({
    privateKey,
    walletAddress: privateKeyToAccount(privateKey).address,
    enableRateLimit: false,
    options: { signatureType: 0 },
  });
  const { url } = stage.recorder;
  const sockets = stage.exchange.running.url.replace('http', 'ws');
  client.urls.api = {
    gamma: `${url}/gamma`,
    clob: url,
    data: `${url}/data-api`,
    ws: `${sockets}/ws/market`,
    wsUser: `${sockets}/ws/user`,
  };
  // ccxt wants this before it opens a socket without TLS.
  await client.loadHttpProxyAgent();
  t.teardown(() => client.close());
  return { stage, client };
}
