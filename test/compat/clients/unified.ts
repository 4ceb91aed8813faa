/** A client of the unified SDK, `@polymarket/client`, with a key of its own, on a stage. */
import {
  createSecureClient,
  forkEnvironmentConfig,
  OrderSide,
  type SecureClient,
} from '@polymarket/client';
import { privateKey } from '@polymarket/client/viem';
import { http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';
import type { Stage } from '../stage.ts';

/** The addresses of one exchange, for all surfaces that it has. */
export function environmentOf(url: string, sockets = url) {
  const ws = sockets.replace('http', 'ws');
  return forkEnvironmentConfig({
    name: 'outcome-exchange',
    rpc: `${url}/rpc`,
    clob: { rest: url, market: { ws: `${ws}/ws/market` }, user: { ws: `${ws}/ws/user` } },
    gamma: { rest: url },
    data: { rest: url },
    relayer: { rest: url },
    rtds: { ws: `${ws}/ws/live` },
    combos: { rest: url },
    perps: { rest: url },
  });
}

export interface UnifiedScene {
  readonly stage: Stage;
  readonly client: SecureClient;
  readonly user: string;
  readonly yes: string;
  readonly conditionId: string;
}

/** A trader with the SDK who has bought 20 YES from Alice. */
export async function startUnifiedScene(stage: Stage): Promise<UnifiedScene> {
  const { recorder, exchange, yes, conditionId } = stage;
  const key = generatePrivateKey();
  const { address: user } = privateKeyToAccount(key);
  const environment = environmentOf(recorder.url, exchange.running.url);
  // Without a transport of its own, transactions would go to a public node.
  const signer = privateKey(key, { chain: polygon, transport: http(`${recorder.url}/rpc`) });
  const client = await createSecureClient({ environment, signer, wallet: user });
  await client.placeLimitOrder({ tokenId: yes, price: 0.55, size: 20, side: OrderSide.BUY });
  return { stage, client, user, yes, conditionId };
}
