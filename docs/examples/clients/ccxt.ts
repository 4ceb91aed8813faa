import ccxt from 'ccxt';
import { privateKeyToAccount } from 'viem/accounts';

const {
  EXCHANGE_URL = 'http://127.0.0.1:8080',
  PRIVATE_KEY: privateKey = '',
  TOKEN_ID = '',
} = process.env;

const { address: walletAddress } = privateKeyToAccount(privateKey as `0x${string}`);
const options = { signatureType: 0 };
const exchange = new ccxt.prediction.polymarket({ privateKey, walletAddress, options });
const sockets = EXCHANGE_URL.replace('http', 'ws');
exchange.urls.api = {
  clob: EXCHANGE_URL,
  gamma: `${EXCHANGE_URL}/gamma`,
  data: `${EXCHANGE_URL}/data-api`,
  ws: `${sockets}/ws/market`,
  wsUser: `${sockets}/ws/user`,
};
await exchange.loadHttpProxyAgent(); // ccxt wants this before it opens a socket without TLS
console.log((await exchange.watchOrderBook(TOKEN_ID)).asks);
console.log(await exchange.createOrder(TOKEN_ID, 'limit', 'buy', 10, 0.42));
await exchange.close();
