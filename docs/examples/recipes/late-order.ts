/**
 * Takes a quote back for good, even if the order reaches the venue late. A cancel finds only orders
 * that have arrived: one that is still on its way would rest after it. So the program keeps what it
 * sent until the venue has answered, and cancels again what it no longer wants.
 */
import { setTimeout } from 'node:timers/promises';
import { ClobClient, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

const { EXCHANGE_URL = 'http://127.0.0.1:8080', PRIVATE_KEY, TOKEN_ID: tokenID = '' } = process.env;
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 1_000);

const account = privateKeyToAccount(PRIVATE_KEY as `0x${string}`);
const signer = createWalletClient({ account, chain: polygon, transport: http() });
const open = { host: EXCHANGE_URL, chain: 137, signer };
const creds = await new ClobClient(open).createOrDeriveApiKey();
const client = new ClobClient({ ...open, creds, throwOnError: true });

let isWanted = true;
const answered = client
  .createAndPostOrder({ tokenID, side: Side.BUY, price: 0.01, size: 10 })
  .then(async ({ orderID, status }) => {
    console.log(`${orderID} is ${status}`);
    if (isWanted) return;
    await client.cancelOrder({ orderID });
    console.log('it came after its cancel, and is canceled now');
  });
const first = await Promise.race([answered.then(() => 'in time'), setTimeout(PATIENCE_MS, 'late')]);
if (first === 'late') {
  isWanted = false;
  const { canceled } = await client.cancelAll();
  console.log(`no answer yet; canceled ${canceled.length} orders`);
  await answered;
}
console.log(`${(await client.getOpenOrders()).length} orders rest`);
