import { createSecureClient, forkEnvironmentConfig, OrderSide } from '@polymarket/client';
import { privateKey } from '@polymarket/client/viem';
import { privateKeyToAccount } from 'viem/accounts';

const { EXCHANGE_URL: url = 'http://127.0.0.1:8080', PRIVATE_KEY, TOKEN_ID = '' } = process.env;

const sockets = url.replace('http', 'ws');
const environment = forkEnvironmentConfig({
  name: 'outcome-exchange',
  rpc: `${url}/rpc`,
  clob: { rest: url, market: { ws: `${sockets}/ws/market` }, user: { ws: `${sockets}/ws/user` } },
  gamma: { rest: url },
  data: { rest: url },
  relayer: { rest: url },
  rtds: { ws: `${sockets}/ws/live` },
});
const signer = privateKey(PRIVATE_KEY);
const wallet = privateKeyToAccount(PRIVATE_KEY as `0x${string}`).address;
const client = await createSecureClient({ environment, signer, wallet });
const order = { tokenId: TOKEN_ID, price: 0.42, size: 10, side: OrderSide.BUY };
console.log(await client.placeLimitOrder(order));
await client.closeSubscriptions();
