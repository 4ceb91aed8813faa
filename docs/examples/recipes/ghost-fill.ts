/**
 * Counts a fill as a position only when its trade is CONFIRMED. A trade that was MATCHED may still
 * be told to have FAILED; then the fill is taken back, and the venue's balance decides.
 */
import { AssetType, ClobClient, type Trade } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

const { EXCHANGE_URL = 'http://127.0.0.1:8080', PRIVATE_KEY, TOKEN_ID = '' } = process.env;
const RECONNECT_MS = 500;

const account = privateKeyToAccount(PRIVATE_KEY as `0x${string}`);
const signer = createWalletClient({ account, chain: polygon, transport: http() });
const open = { host: EXCHANGE_URL, chain: 137, signer };
const creds = await new ClobClient(open).createOrDeriveApiKey();
const client = new ClobClient({ ...open, creds, throwOnError: true });

/** By trade id: tokens bought (less than 0: sold), and the status that was told last. */
const fills = new Map<string, { readonly tokens: number; readonly status: string }>();

/** What this account bought or sold of the token in a trade. */
function tokensIn({ trader_side, maker_orders, ...taker }: Trade): number {
  const own = maker_orders
    .filter(({ owner }) => trader_side === 'MAKER' && owner === creds.key)
    .map((order) => ({ ...order, size: order.matched_amount }));
  return (trader_side === 'TAKER' ? [taker] : own)
    .filter(({ asset_id }) => asset_id === TOKEN_ID)
    .reduce((sum, { side, size }) => sum + Number(size) * (side === 'BUY' ? 1 : -1), 0);
}

function total(isCounted: (status: string) => boolean): number {
  const counted = [...fills.values()].filter(({ status }) => isCounted(status));
  return counted.reduce((sum, { tokens }) => sum + tokens, 0);
}

async function note(trade: Trade): Promise<void> {
  fills.set(trade.id, { tokens: tokensIn(trade), status: trade.status });
  const sure = total((status) => status === 'CONFIRMED');
  const pending = total((status) => status !== 'CONFIRMED' && status !== 'FAILED');
  console.log(`${trade.status}: ${sure} sure, ${pending} pending`);
  if (trade.status !== 'FAILED') return;
  // Do not buy again before this: a fill that seems to have failed may still be settled.
  const asset = { asset_type: AssetType.CONDITIONAL, token_id: TOKEN_ID };
  const { balance } = await client.getBalanceAllowance(asset);
  console.log(`the balance says ${Number(balance) / 1e6}`);
}

function listen(): void {
  const socket = new WebSocket(`${EXCHANGE_URL.replace(/^http/, 'ws')}/ws/user`);
  const auth = { apikey: creds.key, secret: creds.secret, passphrase: creds.passphrase };
  /** The trades that this socket has told. */
  const told = new Set<string>();
  // With custom features the exchange sends a `snapshot` first.
  const subscription = { type: 'user', custom_feature_enabled: true, auth };
  socket.onopen = () => socket.send(JSON.stringify(subscription));
  socket.onmessage = async ({ data }) => {
    const message = JSON.parse(data);
    if (message.event_type === 'trade') {
      told.add(message.id);
      await note(message);
    } else if (message.event_type === 'snapshot' && message.part === 1) {
      // What happened to trades before this connection is read once.
      const trades = await client.getTrades({ asset_id: TOKEN_ID });
      for (const trade of trades) if (!told.has(trade.id)) await note(trade);
      console.log('listening');
    }
  };
  socket.onclose = () => setTimeout(listen, RECONNECT_MS);
}

listen();
