/**
 * A bot to copy: it keeps one bid in the book, one tick below the best ask, and reports what it
 * buys. It shows what every bot needs: both sockets, a check for lost messages, reconnects,
 * orders by the published client, and a dead man's switch.
 *
 *   PRIVATE_KEY=0x... TOKEN_ID=... npm run bot
 *
 * In a project of your own it needs Node 22.18 or later, @polymarket/clob-client-v2 and viem.
 */
import { ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

const HOST = process.env.EXCHANGE_URL ?? 'http://127.0.0.1:8080';
const PRIVATE_KEY = process.env.PRIVATE_KEY ?? ''; // one that npm start printed
const TOKEN_ID = process.env.TOKEN_ID ?? '';
const SIZE = 10;
const HEARTBEAT_MS = 5_000;
const RECONNECT_MS = 1_000;

/** The fields of stream messages that this bot reads; /asyncapi.json has all. */
interface Message extends Partial<Order> {
  readonly event_type: string;
  readonly sequence: number;
  readonly asks?: readonly { price: string; size: string }[];
  readonly price_changes?: readonly Level[];
  readonly part?: number;
  readonly orders?: readonly Order[];
  readonly error?: string;
}
interface Level {
  readonly asset_id: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly size: string;
}
interface Order {
  readonly id: string;
  readonly asset_id: string;
  readonly type: string;
  readonly status: string;
  readonly side: string;
  readonly price: string;
  readonly size_matched: string;
}

// --- The client. Without throwOnError, a refusal is an ordinary value: { error, status }. ---

const account = privateKeyToAccount(PRIVATE_KEY as `0x${string}`);
const signer = createWalletClient({ account, chain: polygon, transport: http() });
const open = { host: HOST, chain: 137, signer };
const creds = await new ClobClient(open).createOrDeriveApiKey();
const client = new ClobClient({ ...open, creds, throwOnError: true });
const tick = Number(await client.getTickSize(TOKEN_ID));

// --- What the bot knows. Messages of the sockets keep it up to date. ---

/** Size by price. */
const asks = new Map<string, string>();
/** The bot's live orders by id: price, and how much was matched. */
const orders = new Map<string, { price: string; matched: number }>();

// --- Sockets ---

interface Channel {
  readonly path: string;
  readonly subscription: object;
  /** Whether a message follows the last one without a gap. */
  readonly follows: (last: number, message: Message) => boolean;
  readonly read: (message: Message) => void;
}

/** Listens for as long as the bot runs. Each connection starts with the whole state. */
function listen({ path, subscription, follows, read }: Channel): void {
  const socket = new WebSocket(HOST.replace(/^http/, 'ws') + path);
  let last: number | undefined;
  socket.onopen = () => socket.send(JSON.stringify(subscription));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data) as Message;
    if (message.error !== undefined) return console.error(`${path}: ${data}`);
    const isState = message.event_type === 'book' || message.event_type === 'snapshot';
    if (last !== undefined && !isState && !follows(last, message)) {
      console.error(`${path}: messages were lost after ${last}`);
      return socket.close();
    }
    last = message.sequence;
    read(message);
    void quote();
  };
  socket.onclose = ({ code, reason }) => {
    if (isStopping) return;
    console.error(`${path} closed (${code} ${reason}); connecting again`);
    setTimeout(() => listen({ path, subscription, follows, read }), RECONNECT_MS);
  };
}

const MARKET: Channel = {
  path: '/ws/market',
  subscription: { type: 'market', assets_ids: [TOKEN_ID] },
  follows: (last, { event_type, sequence }) =>
    sequence === last || (sequence === last + 1 && event_type !== 'heartbeat'),
  read: ({ event_type, asks: all = [], price_changes: levels = [] }) => {
    if (event_type === 'book') asks.clear();
    for (const { price, size } of all) asks.set(price, size);
    for (const { asset_id, side, price, size } of levels) {
      if (asset_id !== TOKEN_ID || side !== 'SELL') continue;
      if (size === '0') asks.delete(price);
      else asks.set(price, size);
    }
  },
};

const USER: Channel = {
  path: '/ws/user',
  subscription: {
    type: 'user',
    custom_feature_enabled: true, // `snapshot` and `balance`, which public venues do not have
    auth: { apikey: creds.key, secret: creds.secret, passphrase: creds.passphrase },
  },
  follows: (last, { event_type, sequence }) =>
    sequence === (event_type === 'heartbeat' ? last : last + 1),
  read: (message) => {
    if (message.event_type === 'snapshot' && message.part === 1) orders.clear();
    for (const order of message.orders ?? []) readOrder(order);
    if (message.event_type === 'order') readOrder(message as Order);
  },
};

function readOrder({ id, asset_id, side, type, status, price, size_matched }: Order): void {
  if (asset_id !== TOKEN_ID || side !== 'BUY') return;
  const matched = Number(size_matched);
  const bought = matched - (orders.get(id)?.matched ?? 0);
  if (type === 'UPDATE' && bought > 0) console.log(`bought ${bought} at ${price}`);
  if (type === 'CANCELLATION' || status === 'MATCHED') orders.delete(id);
  else orders.set(id, { price, matched });
  arrived.get(id)?.();
}

/** Called when the user channel reports an order for the first time. */
const arrived = new Map<string, () => void>();

/**
 * Waits until the user channel has reported an order, so that `orders` is complete. If the message
 * does not come, because it was lost or the socket closed, the bot asks for the order.
 */
async function seen(id: string): Promise<void> {
  if (orders.has(id)) return;
  await new Promise<void>((resolve) => {
    arrived.set(id, resolve);
    setTimeout(resolve, RECONNECT_MS);
  });
  arrived.delete(id);
  if (orders.has(id)) return;
  const { status, price, size_matched } = await client.getOrder(id);
  if (status.toUpperCase() === 'LIVE') orders.set(id, { price, matched: Number(size_matched) });
}

// --- Quoting: one change at a time ---

let isQuoting = false;
let isStale = false;
let isStopping = false;

/** Brings the bid to where it should be. Changes that arrive meanwhile cause one more round. */
async function quote(): Promise<void> {
  isStale = true;
  if (isQuoting) return;
  isQuoting = true;
  while (isStale && !isStopping) {
    isStale = false;
    await moveBid().catch((error) => console.error(`refused: ${error.message}`));
  }
  isQuoting = false;
}

async function moveBid(): Promise<void> {
  const bestAsk = Math.min(...[...asks.keys()].map(Number));
  const wanted = Number.isFinite(bestAsk) ? Number((bestAsk - tick).toFixed(4)) : 0;
  for (const [orderID, { price }] of orders) {
    if (Number(price) === wanted) return;
    await client.cancelOrder({ orderID });
    orders.delete(orderID);
  }
  if (wanted === 0) return;
  const order = { tokenID: TOKEN_ID, side: Side.BUY, price: wanted, size: SIZE };
  const { orderID } = await client.createAndPostOrder(order, {}, OrderType.GTC, true);
  await seen(orderID);
  console.log(`bid ${SIZE} at ${wanted}`);
}

// --- Heartbeats, start and stop ---

/** The id that the next beat must have. */
let beat = '';

/** After the first beat, the exchange cancels all orders of the account when the beats stop. */
async function sendBeat(): Promise<void> {
  try {
    beat = (await client.postHeartbeat(beat)).heartbeat_id;
  } catch (error) {
    // A refused beat is answered with the right id, for example after a pause.
    const { data } = error as { data?: { heartbeat_id?: string } };
    beat = data?.heartbeat_id ?? '';
    console.error(`no heartbeat: ${(error as Error).message}`);
  }
}

/** npm sends Ctrl-C on, although the terminal has sent it here too: both are one stop. */
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await client.cancelAll();
  process.exit(0);
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
await sendBeat();
setInterval(sendBeat, HEARTBEAT_MS);
listen(MARKET);
listen(USER);
