/**
 * Trades through a restart of the venue. Order routes answer 425 while the matching engine starts;
 * then only post-only orders and cancels are accepted for two minutes.
 */
import { setTimeout } from 'node:timers/promises';
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

const { EXCHANGE_URL = 'http://127.0.0.1:8080', PRIVATE_KEY, TOKEN_ID: tokenID = '' } = process.env;
const FIRST_WAIT_MS = Number(process.env.FIRST_WAIT_MS ?? 1_000);
const LONGEST_WAIT_MS = 30_000;
const SIZE = 10;

const account = privateKeyToAccount(PRIVATE_KEY as `0x${string}`);
const signer = createWalletClient({ account, chain: polygon, transport: http() });
const open = { host: EXCHANGE_URL, chain: 137, signer };
const creds = await new ClobClient(open).createOrDeriveApiKey();
const client = new ClobClient({ ...open, creds, throwOnError: true });

/** Why an order was refused if it is worth sending again: nothing was done with it. */
function passingReason(error: unknown): string | undefined {
  const { status, message } = error as { status?: number; message: string };
  if (status === 425) return 'the venue restarts';
  return status === 503 && message.includes('post-only') ? 'post-only mode' : undefined;
}

/** Sends an order until the venue takes it. Throws any other refusal. */
async function place(name: string, isPostOnly: boolean): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    // Nothing was done with the order before, so a new one at the present price is safe: the best
    // bid, or a price at which the book has enough.
    const price = isPostOnly
      ? Number((await client.getPrice(tokenID, Side.BUY)).price)
      : await client.calculateMarketPrice(tokenID, Side.BUY, SIZE);
    const order = await client.createOrder({ tokenID, side: Side.BUY, price, size: SIZE });
    try {
      const { status } = await client.postOrder(order, OrderType.GTC, isPostOnly);
      return console.log(`${name}: ${status}`);
    } catch (error) {
      const reason = passingReason(error);
      if (reason === undefined) throw error;
      console.log(`${name}: ${reason}, waiting`);
      await setTimeout(waitMs);
    }
  }
}

// The quote is back as soon as the venue is; the order that should trade waits for its turn.
await place('quote', true);
await place('order', false);
