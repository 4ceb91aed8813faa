/**
 * Buys once, however often the answer is lost. The order is signed once, and that same signed order
 * is sent until there is an answer: an order is known by its hash, so it can't be filled twice.
 */
import { setTimeout } from 'node:timers/promises';
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

const { EXCHANGE_URL = 'http://127.0.0.1:8080', PRIVATE_KEY, TOKEN_ID: tokenID = '' } = process.env;
const FIRST_WAIT_MS = Number(process.env.FIRST_WAIT_MS ?? 500);
const ATTEMPTS = 8;

const account = privateKeyToAccount(PRIVATE_KEY as `0x${string}`);
const signer = createWalletClient({ account, chain: polygon, transport: http() });
const open = { host: EXCHANGE_URL, chain: 137, signer };
const creds = await new ClobClient(open).createOrDeriveApiKey();
const client = new ClobClient({ ...open, creds, throwOnError: true });

type SignedOrder = Awaited<ReturnType<ClobClient['createOrder']>>;

/** Sends a signed order until there is an answer. Throws a refusal. */
async function send(
  order: SignedOrder,
  type: OrderType,
  attempt = 1,
): ReturnType<typeof client.postOrder> {
  try {
    return await client.postOrder(order, type);
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    // Without a status there was no answer, and after a 5xx too the order may have been placed. A
    // page of HTML, mostly with 403, comes from a server in front of the venue.
    const isUnknown = status === undefined || status >= 500 || message.startsWith('<');
    if (!isUnknown || attempt === ATTEMPTS) throw error;
    console.log(`no answer (${status ?? message}); sending the same order again`);
    await setTimeout(FIRST_WAIT_MS * 2 ** (attempt - 1));
    return send(order, type, attempt + 1);
  }
}

// Not createAndPostOrder: it signs a new order each time, and each of them may be filled.
const price = await client.calculateMarketPrice(tokenID, Side.BUY, 10);
const order = await client.createOrder({ tokenID, side: Side.BUY, price, size: 10 });
const { orderID, status } = await send(order, OrderType.GTC);
console.log(`${orderID} is ${status}`);
