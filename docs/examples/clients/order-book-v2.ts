import { ClobClient, Side } from '@polymarket/clob-client-v2';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { polygon } from 'viem/chains';

const { EXCHANGE_URL = 'http://127.0.0.1:8080', PRIVATE_KEY, TOKEN_ID: tokenID = '' } = process.env;

const account = privateKeyToAccount(PRIVATE_KEY as `0x${string}`);
const signer = createWalletClient({ account, chain: polygon, transport: http() });
const open = { host: EXCHANGE_URL, chain: 137, signer };
const creds = await new ClobClient(open).createOrDeriveApiKey();
const client = new ClobClient({ ...open, creds, throwOnError: true });
const order = { tokenID, side: Side.BUY, price: 0.42, size: 10 };
console.log(await client.createAndPostOrder(order));
