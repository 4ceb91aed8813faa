// The official SDK's default account, a deposit wallet: from its first log-in to a redemption, with
// nothing but this exchange. And what the relayer and the JSON-RPC refuse.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { WalletType } from '@polymarket/bindings/gamma';
import {
  createSecureClient,
  OrderSide,
  relayerApiKey,
  TransactionFailedError,
} from '@polymarket/client';
import { createBuilderApiKey } from '@polymarket/client/actions';
import { builderApiKey } from '@polymarket/client/node';
import { privateKey } from '@polymarket/client/viem';
import t from 'tap';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bytesToHex } from '../../../http/signing/hash.ts';
import { addressWord, uintWord } from '../../../sandbox/relay/abi.ts';
import { RELAY_BOUNDS } from '../../../sandbox/relay/bounds.ts';
import { batchDigest } from '../../../sandbox/relay/digests.ts';
import { Relay } from '../../../sandbox/relay/relay.ts';
import { environmentOf } from '../../compat/clients/unified.ts';
import { shareTestExchange, type TestExchange } from '../../http/exchange-fixture.ts';
import { depositWallet } from '../../owned-wallets.ts';

const share = await shareTestExchange(t, { now: Date.now });

const SOMEBODY = `0x${'5'.repeat(40)}`;

function optionsAt({ running }: TestExchange, key = generatePrivateKey()) {
  const { address } = privateKeyToAccount(key);
  // It asks again at once, in place of after two seconds.
  const environment = { ...environmentOf(running.url), relayerPollFrequencyMs: 1 };
  const apiKey = relayerApiKey({ key: 'any', address });
  return { environment, signer: privateKey(key), apiKey };
}

async function tokensOf(exchange: TestExchange, account: string) {
  const { exchange: store } = exchange.running.services;
  const found = exchange.plain.tokenIds.map((id) => store.balance(account.toLowerCase(), id));
  return (await Promise.all(found)).map(({ available }) => available / 100);
}

t.test('a new default account trades, splits, merges and redeems', async (t) => {
  const exchange = share();
  const options = optionsAt(exchange);
  const client = await createSecureClient(options);
  const { wallet, signer, walletType } = client.account;
  t.equal(walletType, WalletType.DEPOSIT_WALLET);
  const { registry } = exchange.running.services;
  t.match(registry.accountsOf(signer.toLowerCase()), [
    { wallet: 'eoa' },
    { wallet: 'deposit', address: wallet.toLowerCase() },
  ]);
  const { apiKey: _, ...keyless } = options;
  const again = await createSecureClient(keyless);
  t.equal(again.account.wallet, wallet, 'later it needs no key');
  await client.setupTradingApprovals();
  const approval = await client.approveErc20({
    amount: 5n,
    spenderAddress: SOMEBODY,
    tokenAddress: SOMEBODY,
  });
  t.match(await approval.wait(), { transactionHash: /^0x[0-9a-f]{64}$/ });

  const { conditionId, tokenIds } = exchange.plain;
  const split = await client.splitPosition({ conditionId, amount: 20_000_000n });
  await split.wait();
  t.strictSame(await tokensOf(exchange, wallet), [20, 20]);
  const merged = await client.mergePositions({ conditionId, amount: 5_000_000n });
  await merged.wait();
  const ask = { tokenId: tokenIds[0], price: 0.9, size: 6, side: OrderSide.SELL };
  t.match(await client.placeLimitOrder(ask), { ok: true, status: 'live' });
  t.strictSame(await tokensOf(exchange, wallet), [9, 15], 'the order holds 6');
  await (await client.mergePositions({ conditionId, amount: 'max' })).wait();
  t.strictSame(await tokensOf(exchange, wallet), [0, 6], 'what orders hold is not merged');

  await exchange.operator('POST', `/markets/${conditionId}/close`, {});
  await exchange.operator('POST', `/markets/${conditionId}/resolve`, { payout: '0' });
  // The catalog's lists follow the resolution.
  const closed = `/gamma/markets?condition_ids=${conditionId}&closed=true`;
  while ((await exchange.send('GET', closed, {})).text === '[]') await nextTurn();
  const redeemed = await client.redeemPositions({ conditionId });
  await redeemed.wait();
  t.strictSame(await tokensOf(exchange, wallet), [0, 0]);
  const { transactionId } = redeemed;
  const listed = await exchange.send('GET', '/transactions', {
    headers: { relayer_api_key_address: signer },
  });
  const [newest] = JSON.parse(listed.text);
  t.match(newest, { transactionID: transactionId, state: 'STATE_CONFIRMED' });
  const one = await exchange.send('GET', `/transaction?id=${transactionId}`, {});
  t.strictSame(one.body, [newest]);
  const { ok } = JSON.parse((await exchange.operator('GET', '/audit')).text);
  t.equal(ok, true);
});

t.test('batches at once, builder keys, and a batch that is refused while it is done', async (t) => {
  const exchange = share();
  const options = optionsAt(exchange);
  const first = await createSecureClient(options);
  const { key, secret, passphrase } = await createBuilderApiKey(first);
  const apiKey = builderApiKey({ key, secret, passphrase });
  const client = await createSecureClient({ ...options, apiKey });
  const { conditionId } = exchange.plain;
  const one = { conditionId, amount: 1_000_000n };
  const both = await Promise.all([client.splitPosition(one), client.splitPosition(one)]);
  for (const handle of both) await handle.wait();
  t.strictSame(await tokensOf(exchange, client.account.wallet), [2, 2], 'the SDK signs one again');
  const tooMuch = await client.splitPosition({ conditionId, amount: 99_000_000_000_000n });
  await t.rejects(tooMuch.wait(), { message: /not_enough_cash/ });
  t.ok(TransactionFailedError.isError(await tooMuch.wait().catch((error) => error)));
  const { address } = privateKeyToAccount(generatePrivateKey());
  const transfer = { amount: 1n, recipientAddress: address, tokenAddress: address };
  await t.rejects(client.transferErc20(transfer), {
    message: /does not carry out the call 0xa9059/,
  });
  await t.rejects(client.splitPosition({ conditionId, amount: 1n }), { message: /amount/ });
});

const FACTORY = '0x00000000000fb5c9adea0298d729a0cb3823cc07';
const APPROVAL = `0x095ea7b3${'0'.repeat(128)}`;

/** A batch that its owner signs, with one approval, unless `changes` says otherwise. */
async function signedBatch(
  exchange: TestExchange,
  number: number,
  { nonceStep = 0n, deadline = '9999999999', data = APPROVAL, value = '0' } = {},
) {
  const trader = await exchange.trader(number);
  const account = privateKeyToAccount(bytesToHex(trader.signer.privateKey) as '0x');
  const asked = await exchange.send('GET', `/nonce?address=${account.address}&type=WALLET`, {});
  const nonce = BigInt(JSON.parse(asked.text).nonce) + nonceStep;
  const calls = [{ target: SOMEBODY as `0x${string}`, value: BigInt(value), data: data as '0x' }];
  const wallet = depositWallet(trader.address) as `0x${string}`;
  const signature = await account.signTypedData({
    domain: { name: 'DepositWallet', version: '1', chainId: 80_002, verifyingContract: wallet },
    primaryType: 'Batch',
    types: {
      Call: [
        { name: 'target', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'data', type: 'bytes' },
      ],
      Batch: [
        { name: 'wallet', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
        { name: 'calls', type: 'Call[]' },
      ],
    },
    message: { wallet, nonce, deadline: BigInt(deadline), calls },
  });
  const depositWalletParams = {
    depositWallet: wallet as string,
    deadline,
    calls: [{ target: SOMEBODY, value, data }],
  };
  const [from, type] = [account.address as string, 'WALLET'];
  return { type, from, to: FACTORY, nonce: `${nonce}`, signature, depositWalletParams };
}

function submit({ send }: TestExchange, body: object) {
  return send('POST', '/submit', { body: JSON.stringify(body) });
}

t.test('what the relayer refuses changes nothing', async (t) => {
  const exchange = share();
  const good = await signedBatch(exchange, 1);
  const params = good.depositWalletParams;
  const [call] = params.calls;
  const withCalls = (...calls: unknown[]) => ({
    ...good,
    depositWalletParams: { ...params, calls },
  });
  const batch = (changes: object) => signedBatch(exchange, 1, changes);
  const place = 'depositWalletParams';
  const half = `0x9e7212ad${'0'.repeat(64 * 4)}`;
  const negRiskSplit = `0xa3d7da1d${exchange.plain.conditionId.slice(2)}`;
  const one = (1).toString(16).padStart(64, '0');
  type Row = [body: object, code: string, field: string];
  const rows: readonly Row[] = [
    [{}, 'missing_field', 'type'],
    [{ ...good, type: 'toString' }, 'relay_type_unknown', 'type'],
    [{ ...good, from: '0x1' }, 'address_malformed', 'from'],
    [{ ...good, to: '0x1' }, 'address_malformed', 'to'],
    [{ ...good, from: SOMEBODY }, 'account_unknown', 'from'],
    [{ type: 'WALLET-CREATE', from: SOMEBODY, to: FACTORY }, 'account_unknown', 'from'],
    [{ type: 'WALLET-CREATE', from: good.from, to: SOMEBODY }, 'relay_factory_unknown', 'to'],
    [{ ...good, metadata: 'm'.repeat(501) }, 'invalid_payload', 'metadata'],
    [{ ...good, depositWalletParams: undefined }, 'missing_field', place],
    [withCalls(), 'invalid_payload', `${place}.calls`],
    [withCalls(...Array(51).fill(call)), 'too_many_items', `${place}.calls`],
    [withCalls({ ...call, target: '' }), 'address_malformed', `${place}.calls.0.target`],
    [withCalls({ ...call, value: '-1' }), 'invalid_payload', `${place}.calls.0.value`],
    [withCalls({ ...call, data: '0x1' }), 'invalid_payload', `${place}.calls.0.data`],
    [{ ...good, nonce: undefined }, 'missing_field', 'nonce'],
    [{ ...good, nonce: '0x1' }, 'invalid_payload', 'nonce'],
    [await batch({ deadline: '1700000000' }), 'relay_deadline_past', `${place}.deadline`],
    [{ ...good, signature: undefined }, 'missing_field', 'signature'],
    [{ ...good, signature: '0x12' }, 'invalid_payload', 'signature'],
    [withCalls(call, call), 'relay_bad_signature', 'signature'],
    [{ ...good, nonce: '7' }, 'relay_bad_signature', 'signature'],
    [await batch({ nonceStep: 1n }), 'relay_nonce_mismatch', 'nonce'],
    [await batch({ nonceStep: -1n }), 'relay_nonce_mismatch', 'nonce'],
    [await batch({ value: '1' }), 'relay_call_unknown', `${place}.calls.0.data`],
    [await batch({ data: '0x' }), 'relay_call_unknown', `${place}.calls.0.data`],
    [await batch({ data: half }), 'relay_call_unknown', `${place}.calls.0.data`],
    [await batch({ data: negRiskSplit }), 'relay_call_unknown', `${place}.calls.0.data`],
    [await batch({ data: negRiskSplit + one }), 'amount_off_grid', 'amount'],
  ];
  for (const [body, code, field] of rows) {
    const refused = await submit(exchange, body);
    t.match(refused, { status: 400, body: { code, field } }, `${code} ${field}`);
  }
  const { registry } = exchange.running.services;
  t.equal(registry.accountOwner(params.depositWallet), undefined, 'no wallet is open');
  t.match((await submit(exchange, good)).body, { state: 'STATE_CONFIRMED' });
  t.match((await submit(exchange, good)).body, { code: 'relay_nonce_mismatch' }, 'once');
  const other = await signedBatch(exchange, 2);
  const { depositWallet: theirs } = params;
  const stolen = { ...other, depositWalletParams: { ...params, depositWallet: theirs } };
  t.match((await submit(exchange, stolen)).body, { code: 'relay_bad_signature' });
});

t.test("an owner's batch for a wallet of another owner fails", async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const bob = await exchange.trader(2);
  const good = await signedBatch(exchange, 1);
  const wallet = depositWallet(bob.address);
  await submit(exchange, { type: 'WALLET-CREATE', from: bob.address, to: FACTORY });
  const digest = batchDigest(
    {
      wallet,
      nonce: BigInt(good.nonce),
      deadline: 9_999_999_999n,
      calls: [{ target: SOMEBODY, value: 0n, data: APPROVAL }],
    },
    137,
  );
  const signature = alice.signer.sign(digest);
  const params = { ...good.depositWalletParams, depositWallet: wallet };
  const answer = await submit(exchange, { ...good, signature, depositWalletParams: params });
  t.match(answer.body, { state: 'STATE_FAILED', transactionID: String });
  const { transactionID } = JSON.parse(answer.text);
  const found = await exchange.send('GET', `/v1/account/transactions/${transactionID}`, {});
  t.match(found.body, { state: 'STATE_FAILED', error_msg: /account_bound_to_other/ });
});

t.test('other routes of the relayer refuse what they do not know', async (t) => {
  const exchange = share();
  const rows: readonly [path: string, status: number, code: string, field: string][] = [
    ['/deployed', 400, 'missing_field', 'address'],
    ['/deployed?address=0x1&type=WALLET', 400, 'address_malformed', 'address'],
    ['/nonce?address=1', 400, 'address_malformed', 'address'],
    ['/relay-payload?address=1', 400, 'address_malformed', 'address'],
    ['/v1/account/transactions/params?address=1', 400, 'address_malformed', 'address'],
    ['/transaction?id=none', 404, 'transaction_unknown', 'id'],
    ['/v1/account/transactions/none', 404, 'transaction_unknown', 'id'],
    ['/transactions', 400, 'address_malformed', 'RELAYER_API_KEY_ADDRESS'],
  ];
  for (const [path, status, code, field] of rows) {
    t.match(await exchange.send('GET', path, {}), { status, body: { code, field } }, path);
  }
  const params = await exchange.send('GET', `/relay-payload?address=${SOMEBODY}`, {});
  t.match(params.body, { address: String, nonce: /^\d+$/ });
  const headers = { POLY_BUILDER_API_KEY: 'x', POLY_BUILDER_PASSPHRASE: 'x' };
  const wrong = await exchange.send('POST', '/submit', { headers, body: '{}' });
  t.equal(wrong.status, 401, 'wrong builder headers');
});

t.test('nonces never come back, and old transactions are forgotten', async (t) => {
  const relay = new Relay(1_000);
  relay.advance(SOMEBODY);
  relay.advance(SOMEBODY);
  for (let n = 0; n < RELAY_BOUNDS.nonces; n++) relay.advance(`owner ${n}`);
  t.ok(relay.nonceOf(SOMEBODY) >= 1_002n);
  const { type, from, to, nonce } = { type: 'WALLET', from: SOMEBODY, to: FACTORY, nonce: '0' };
  const outcome = { fault: undefined, type, from, to, nonce, wallet: from, signature: '' };
  const keep = () => relay.keep({ ...outcome, metadata: '' }, 0).id;
  const ids = Array.from({ length: 2 * RELAY_BOUNDS.transactions + 1 }, keep);
  t.equal(relay.transaction(ids[0] ?? ''), undefined);
  t.ok(relay.transaction(ids[RELAY_BOUNDS.transactions] ?? ''));
  t.equal(relay.transactionsOf(SOMEBODY).length, RELAY_BOUNDS.transactionsPerList);
});

const [BALANCE, BALANCES] = ['0x70a08231', '0x4e1273f4'];

t.test('the JSON-RPC of a chain', async (t) => {
  const exchange = share();
  const { address } = await exchange.trader(1);
  const ask = async (body: unknown) =>
    (await exchange.send('POST', '/rpc', { body: JSON.stringify(body) })).body;
  const request = (method: string, ...params: unknown[]) => ({
    jsonrpc: '2.0',
    id: 7,
    method,
    params,
  });
  const call = (data: string, to: string = SOMEBODY) => request('eth_call', { to, data }, 'latest');
  const revert = /^execution reverted/;
  const order = await exchange.trader(2);
  const wallet = depositWallet(order.address);
  await submit(exchange, { type: 'WALLET-CREATE', from: order.address, to: FACTORY });
  const hash = 'ab'.repeat(32);
  const signature = order.signer.sign(Buffer.from(hash, 'hex')).slice(2).padEnd(192, '0');
  const check = `0x1626ba7e${hash}${uintWord(64)}${uintWord(65)}${signature}`;
  const rows: readonly [body: unknown, answer: object][] = [
    [request('eth_chainId'), { id: 7, result: '0x89' }],
    [request('eth_blockNumber'), { result: /^0x[0-9a-f]+$/ }],
    [request('eth_estimateGas', {}), { result: '0x186a0' }],
    [request('eth_getCode', wallet, 'latest'), { result: '0xfe' }],
    [request('eth_getCode', address, 'latest'), { result: '0x' }],
    [call(BALANCE + addressWord(address)), { result: `0x${uintWord(10_000_000_000)}` }],
    [call(BALANCE + addressWord(SOMEBODY)), { result: `0x${uintWord(0)}` }],
    [call(check, wallet), { result: /^0x1626ba7e0/ }],
    [call(check, address), { result: /^0xffffffff0/ }],
    [call(check.slice(0, 10), wallet), { result: /^0xffffffff0/ }],
    [call('0x12345678'), { error: { code: 3, message: revert } }],
    [call('0x1234'), { error: { code: -32602 } }],
    [call(BALANCE, '0x1'), { error: { code: -32602 } }],
    [call(BALANCE), { error: { code: -32602 } }],
    [call(BALANCE + 'f'.repeat(64)), { error: { code: -32602 } }],
    [call(BALANCES), { result: `0x${uintWord(32)}${uintWord(0)}` }],
    [
      call(BALANCES + uintWord(32) + uintWord(2 ** 40)),
      { result: `0x${uintWord(32)}${uintWord(0)}` },
    ],
    [request('eth_call'), { error: { code: -32602 } }],
    [request('eth_getCode', '0x'), { error: { code: -32602 } }],
    [request('eth_sendTransaction', {}), { id: 7, error: { code: -32601 } }],
    [request('eth_getTransactionReceipt', `0x${hash}`), { result: null }],
    [request('eth_getTransactionReceipt', 5), { result: null }],
    [request('eth_getTransactionCount', address, 'pending'), { result: /^0x[0-9a-f]+$/ }],
    [request('eth_getTransactionCount', '0x1'), { error: { code: -32602 } }],
    [request('eth_getBlockByNumber', 'latest'), { result: { baseFeePerGas: '0x0' } }],
    [request('eth_gasPrice'), { result: '0x0' }],
    [[request('eth_sendRawTransaction', '0x')], [{ error: { code: -32600, message: /alone/ } }]],
    [{ ...request('eth_chainId'), jsonrpc: '1.0' }, { error: { code: -32600 } }],
    [{ ...request('eth_chainId'), params: {} }, { error: { code: -32600 } }],
    [null, { id: null, error: { code: -32600 } }],
    [[], { id: null, error: { code: -32600 } }],
    [Array(RELAY_BOUNDS.rpcRequests + 1).fill(request('eth_chainId')), { error: { code: -32600 } }],
    [
      [request('eth_chainId'), 1],
      [{ result: '0x89' }, { error: { code: -32600 } }],
    ],
  ];
  for (const [body, answer] of rows)
    t.match(await ask(body), answer, JSON.stringify(body).slice(0, 90));
});
