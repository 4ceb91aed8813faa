// Proxy wallets and Safes at the relayer: with the official SDK, with what the published relayer
// client signs, and what is refused. Conversions of neg-risk events too.
import {
  createSecureClient,
  OrderSide,
  relayerApiKey,
  type SecureClient,
} from '@polymarket/client';
import { prepareGaslessTransaction } from '@polymarket/client/actions';
import { privateKey } from '@polymarket/client/viem';
import t from 'tap';
import { encodeFunctionData, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { hexToBytes } from '../../../http/signing/hash.ts';
import { recoverAddress } from '../../../http/signing/recover.ts';
import { multiSendCalls, proxyCalls, uintWord } from '../../../sandbox/relay/abi.ts';
import { RELAY_BOUNDS } from '../../../sandbox/relay/bounds.ts';
import {
  creationDigest,
  messageDigest,
  relayedDigest,
  safeDigest,
} from '../../../sandbox/relay/digests.ts';
import { environmentOf } from '../../compat/clients/unified.ts';
import { shareTestExchange, type TestExchange } from '../../http/exchange-fixture.ts';
import { proxyWallet, safeWallet } from '../../owned-wallets.ts';

const share = await shareTestExchange(t, { now: Date.now });

const ABI = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function splitPosition(bytes32 conditionId, uint256 amount)',
  'function convertPositions(bytes32 marketId, uint256 indexSet, uint256 amount)',
  'function proxy((uint8 typeCode, address to, uint256 value, bytes data)[] calls)',
  'function multiSend(bytes transactions)',
]);

const ZERO = `0x${'0'.repeat(40)}` as const;
const CONTRACT = `0x${'5'.repeat(40)}` as const;
const WALLETS = { proxy: proxyWallet, safe: safeWallet };

function post({ send }: TestExchange, path: string, body: object) {
  return send('POST', path, { body: JSON.stringify(body) });
}

/** A client of the SDK for a wallet that the faucet opened. */
async function clientFor(exchange: TestExchange, kind: 'proxy' | 'safe') {
  const key = generatePrivateKey();
  const { address: owner } = privateKeyToAccount(key);
  const wallet = WALLETS[kind](owner.toLowerCase());
  const opened = await post(exchange, '/faucet', { address: wallet, owner, amount: '100' });
  t.equal(opened.status, 200, 'the faucet opens a wallet that follows from its owner');
  const url = exchange.running.url;
  const environment = { ...environmentOf(url), relayerPollFrequencyMs: 1 };
  const apiKey = relayerApiKey({ key: 'any', address: owner });
  const signer = privateKey(key);
  const client = await createSecureClient({ environment, signer, wallet, apiKey });
  t.equal(client.account.wallet.toLowerCase(), wallet);
  return { client, signer, wallet };
}

interface Prepared {
  readonly client: SecureClient;
  readonly signer: ReturnType<typeof privateKey>;
}

/** Signs and sends several calls as one transaction. */
async function sendCalls({ client, signer }: Prepared, datas: readonly `0x${string}`[]) {
  const calls = datas.map((data) => ({ to: CONTRACT, data }));
  const workflow = await prepareGaslessTransaction(client, { calls, metadata: 'several' });
  let step = await workflow.next();
  while (step.done !== true) {
    const { value } = step;
    if (value.kind === 'requestAddress') step = await workflow.next(await signer.getAddress());
    else if (value.kind === 'signGaslessMessage') {
      step = await workflow.next(await signer.signMessage(value.payload));
    } else step = await workflow.next(await signer.signTypedData(value.payload));
  }
  return step.value.wait();
}

async function tokensOf({ running }: TestExchange, account: string, ids: readonly string[]) {
  const { exchange } = running.services;
  const found = await Promise.all(ids.map((id) => exchange.balance(account, id)));
  return found.map(({ available }) => available / 100);
}

for (const kind of ['proxy', 'safe'] as const) {
  t.test(`the SDK's ${kind} wallet trades, splits, merges and converts`, async (t) => {
    const exchange = share();
    const scene = await clientFor(exchange, kind);
    const { client, wallet } = scene;
    const { conditionId, tokenIds } = exchange.plain;
    await (await client.splitPosition({ conditionId, amount: 20_000_000n })).wait();
    await (await client.mergePositions({ conditionId, amount: 5_000_000n })).wait();
    t.strictSame(await tokensOf(exchange, wallet, tokenIds), [15, 15]);
    const ask = { tokenId: tokenIds[0], price: 0.9, size: 6, side: OrderSide.SELL };
    t.match(await client.placeLimitOrder(ask), { ok: true, status: 'live' });
    const tooMuch = await client.splitPosition({ conditionId, amount: 99_000_000_000_000n });
    await t.rejects(tooMuch.wait(), { message: /not_enough_cash/ });

    const { services } = exchange.running;
    const first = exchange.negRisk.conditionId;
    const market = services.exchange.catalog.lookup.marketByCondition(first);
    const { eventId = '', negRiskEventId = '' } = market ?? {};
    await exchange.operator('POST', `/events/${eventId}/open`, {});
    const all = services.registry.marketsOfEvent(eventId);
    const ids = all.flatMap((id) => services.registry.market(id)?.tokenIds[0] ?? []);
    const [split, convert] = ['splitPosition', 'convertPositions'] as const;
    const amount = 3_000_000n;
    await sendCalls(scene, [
      encodeFunctionData({ abi: ABI, functionName: 'approve', args: [CONTRACT, amount] }),
      encodeFunctionData({ abi: ABI, functionName: split, args: [first as '0x', amount] }),
      encodeFunctionData({
        abi: ABI,
        functionName: convert,
        args: [negRiskEventId as '0x', 1n << BigInt(all.indexOf(first)), amount],
      }),
    ]);
    t.strictSame(
      await tokensOf(exchange, wallet, ids),
      ids.map(() => 3),
      'one YES of each',
    );
    const { ok } = JSON.parse((await exchange.operator('GET', '/audit')).text);
    t.equal(ok, true);
  });
}

const ANVIL = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
);
const FROM = ANVIL.address.toLowerCase();
const TOKEN = '0x2791bca1f2de4661ed88a30c99a7a9449aa84174';
const SPENDER = '4d97dcd97ec945f40cf65f87097ace5ea0476045';
const APPROVAL = `0x095ea7b3${SPENDER.padStart(64, '0')}${'f'.repeat(64)}`;

function proxied(...datas: readonly string[]) {
  const calls = datas.map((data) => ({ typeCode: 1, to: TOKEN, value: 0n, data }) as const);
  return encodeFunctionData({ abi: ABI, functionName: 'proxy', args: [calls as never] });
}

t.test('the digests are those that tests of the published relayer client sign', async (t) => {
  const nothing = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: ZERO };
  const call = { target: TOKEN, value: 0n, data: APPROVAL, operation: 0n, nonce: 0n };
  const safe = { ...call, ...nothing, safe: safeWallet(FROM), refundReceiver: ZERO };
  const payment = { paymentToken: ZERO, payment: 0n, paymentReceiver: ZERO };
  const relayed = {
    ...{ from: FROM, to: '0xab45c5a4b0c941a2f231c04c3f49182e1a254052', data: proxied(APPROVAL) },
    ...{ relayerFee: 0n, gasPrice: 0n, gasLimit: 85_338n, nonce: 0n },
    relayHub: '0xd216153c06e857cd7f72665e0af1d7d82172f494',
    relay: '0xae700edfd9ab986395f3999fe11177b9903a52f1',
  };
  const factory = '0xaacfeea03eb1561c4e67d661e40682bd20e3541b';
  const rows = [
    [
      relayedDigest(relayed),
      [
        '0x4c18e2d2294a00d686714aff8e7936ab657cb4655dfccb2b556efadcb7e835f8',
        '00dc2fecec69c501e29bb36ecb54b4da6b7c410c4dc740a33af2afde2b77297e',
        '1b',
      ].join(''),
    ],
    // A Safe's v is 4 more, for a digest that was signed as a message.
    [
      messageDigest(safeDigest(safe, 137)),
      [
        '0xf368488355b0566e99eff3bccc35e98b77d8f3a6e6866176188488c34f0305b0',
        '7e4a4c600c7a1592e4ac1e96b5887ebff2cb26987a3ad501006b39944df098c2',
        '1b',
      ].join(''),
    ],
    [
      creationDigest({ factory, ...payment }, 137),
      [
        '0xe3e791c24134b7bebe93b4771bd07c7fe7bbe115eeb0bf629ac3b7a435e7ac8d',
        '05f979729d873f7d0e16205becf48ee450aa382bc28c65eedcd6454e81d81f92',
        '1b',
      ].join(''),
    ],
  ] as const;
  for (const [digest, signature] of rows) {
    const bytes = hexToBytes(signature) ?? new Uint8Array();
    t.equal(recoverAddress(digest, bytes), FROM, signature.slice(0, 10));
  }
});

const FACTORY = '0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b';

/** A request as the published relayer client makes it, to create the Safe of a trader. */
async function creationOf(exchange: TestExchange, number: number) {
  const trader = await exchange.trader(number);
  const key = `0x${Buffer.from(trader.signer.privateKey).toString('hex')}` as const;
  const account = privateKeyToAccount(key);
  const payment = { paymentToken: ZERO, payment: '0', paymentReceiver: ZERO };
  const signature = await account.signTypedData({
    domain: {
      name: 'Polymarket Contract Proxy Factory',
      chainId: 80_002n,
      verifyingContract: FACTORY,
    },
    types: {
      CreateProxy: [
        { name: 'paymentToken', type: 'address' },
        { name: 'payment', type: 'uint256' },
        { name: 'paymentReceiver', type: 'address' },
      ],
    },
    primaryType: 'CreateProxy',
    message: { ...payment, payment: 0n },
  });
  return {
    ...{ type: 'SAFE-CREATE', from: account.address as string, to: FACTORY as string },
    ...{ proxyWallet: safeWallet(trader.address), data: '0x', signature: signature as string },
    signatureParams: payment,
  };
}

t.test('a Safe is created by its owner, and again without effect', async (t) => {
  const exchange = share();
  const creation = await creationOf(exchange, 1);
  const deployed = `/deployed?address=${creation.proxyWallet}`;
  t.match((await exchange.send('GET', deployed)).body, { deployed: false });
  t.match((await post(exchange, '/submit', creation)).body, { state: 'STATE_CONFIRMED' });
  t.match((await exchange.send('GET', deployed)).body, { deployed: true });
  const before = exchange.stateHash();
  t.match((await post(exchange, '/submit', creation)).body, { state: 'STATE_CONFIRMED' });
  t.equal(exchange.stateHash(), before);
});

t.test('what the relayer refuses of proxies and Safes changes nothing', async (t) => {
  const exchange = share();
  const creation = await creationOf(exchange, 2);
  const { signatureParams: payment, proxyWallet: safe } = creation;
  const { from } = creation;
  const params = {
    ...{ gasPrice: '0', operation: '0', safeTxnGas: '0', baseGas: '0', gasToken: ZERO },
    refundReceiver: ZERO,
  };
  const good = { ...creation, type: 'SAFE', to: CONTRACT, nonce: '0', signatureParams: params };
  const relay = { gasPrice: '0', gasLimit: '1', relayerFee: '0', relayHub: ZERO, relay: ZERO };
  const proxy = {
    ...{ ...good, type: 'PROXY', to: '0xaB45c5A4B0c941a2F231C04C3f49182e1A254052' },
    ...{ proxyWallet: proxyWallet(from.toLowerCase()), data: proxied(APPROVAL) },
    signatureParams: relay,
  };
  const many = proxied(...Array(RELAY_BOUNDS.callsPerBatch + 1).fill(APPROVAL));
  const batch = { ...good, signatureParams: { ...params, operation: '1' } };
  const place = 'signatureParams';
  type Row = [body: object, code: string, field: string];
  const rows: readonly Row[] = [
    [{ ...creation, to: CONTRACT }, 'relay_factory_unknown', 'to'],
    [{ ...creation, proxyWallet: undefined }, 'missing_field', 'proxyWallet'],
    [{ ...creation, proxyWallet: CONTRACT }, 'wallet_not_derived', 'proxyWallet'],
    [{ ...creation, signatureParams: undefined }, 'missing_field', place],
    [{ ...creation, signatureParams: {} }, 'missing_field', `${place}.payment`],
    [
      { ...creation, signatureParams: { ...payment, payment: '-1' } },
      'invalid_payload',
      `${place}.payment`,
    ],
    [
      { ...creation, signatureParams: { ...payment, payment: '1' } },
      'relay_bad_signature',
      'signature',
    ],
    [{ ...creation, signature: undefined }, 'missing_field', 'signature'],
    [{ ...good, nonce: undefined }, 'missing_field', 'nonce'],
    [{ ...good, data: undefined }, 'missing_field', 'data'],
    [{ ...good, data: '0x1' }, 'invalid_payload', 'data'],
    [{ ...good, value: '1.5' }, 'invalid_payload', 'value'],
    [{ ...good, proxyWallet: '0x1' }, 'address_malformed', 'proxyWallet'],
    [{ ...good, signatureParams: payment }, 'missing_field', `${place}.operation`],
    [{ ...good, signature: `${good.signature.slice(0, -2)}21` }, 'invalid_payload', 'signature'],
    [good, 'relay_bad_signature', 'signature'],
    [batch, 'relay_call_unknown', 'data'],
    [{ ...batch, data: `0x8d80ff0a${uintWord(32)}${uintWord(9)}` }, 'relay_call_unknown', 'data'],
    [{ ...proxy, to: CONTRACT }, 'relay_factory_unknown', 'to'],
    [{ ...proxy, proxyWallet: safe }, 'wallet_not_derived', 'proxyWallet'],
    [{ ...proxy, signatureParams: params }, 'missing_field', `${place}.relayerFee`],
    [{ ...proxy, data: APPROVAL }, 'relay_call_unknown', 'data'],
    [{ ...proxy, data: many }, 'too_many_items', 'data'],
    [proxy, 'relay_bad_signature', 'signature'],
  ];
  const before = exchange.stateHash();
  for (const [body, code, field] of rows) {
    const refused = await post(exchange, '/submit', body);
    t.match(refused, { status: 400, body: { code, field } }, `${code} ${field}`);
  }
  t.equal(exchange.stateHash(), before);
});

t.test('broken batches of calls are not read', async (t) => {
  const proxy = proxied(APPROVAL);
  t.strictSame(proxyCalls(proxy), [{ target: TOKEN, value: 0n, data: APPROVAL }]);
  for (let end = 10; end < proxy.length - 64; end += 64) {
    t.equal(proxyCalls(proxy.slice(0, end)), undefined, `cut at ${end}`);
  }
  const packed = ['00', TOKEN.slice(2), uintWord(0), uintWord(2), 'abcd'].join('');
  const send = (transactions: string) =>
    encodeFunctionData({ abi: ABI, functionName: 'multiSend', args: [`0x${transactions}`] });
  const call = { target: TOKEN, value: 0n, data: '0xabcd' };
  t.strictSame(multiSendCalls(send(packed + packed)), [call, call]);
  for (let end = 2; end < packed.length; end += 10) {
    t.equal(multiSendCalls(send(packed + packed.slice(0, end))), undefined, `cut at ${end}`);
  }
  t.equal(multiSendCalls(send(`01${packed.slice(2)}`)), undefined, 'not a plain call');
});

t.test('a transaction of an own key is carried out once, and others are refused', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(3);
  const key = `0x${Buffer.from(trader.signer.privateKey).toString('hex')}` as const;
  const account = privateKeyToAccount(key);
  const ask = async (method: string, ...params: unknown[]) => {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    return JSON.parse((await post(exchange, '/rpc', request)).text);
  };
  const nonce = Number((await ask('eth_getTransactionCount', account.address)).result);
  const { conditionId, tokenIds } = exchange.plain;
  const args = [conditionId as '0x', 7_000_000n] as const;
  const data = encodeFunctionData({ abi: ABI, functionName: 'splitPosition', args });
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, gas: 100_000n };
  const good = { type: 'eip1559', chainId: 137, nonce, to: CONTRACT, data, ...fees } as const;
  const signed = (changes: object = {}) => account.signTransaction({ ...good, ...changes });
  const raw = await signed();
  const stranger = privateKeyToAccount(generatePrivateKey());
  const long = `${data}${'0'.repeat(400)}` as const;
  const rows: readonly (readonly [raw: unknown, message: RegExp])[] = [
    [undefined, /invalid_payload/],
    ['0x', /invalid_payload/],
    ['0x02', /invalid_payload/],
    ['0x02f8ff', /invalid_payload/],
    ['0x02ffffffffffffffffff', /invalid_payload/],
    [`${raw}00`, /invalid_payload/],
    [raw.slice(0, -2), /invalid_payload/],
    [await account.signTransaction({ ...good, type: 'legacy', gasPrice: 0n } as never), /invalid_/],
    [await signed({ to: undefined }), /invalid_payload/],
    [await signed({ chainId: 1 }), /invalid_payload/],
    [await stranger.signTransaction(good), /account_unknown/],
    [await signed({ nonce: nonce + 1 }), /relay_nonce_mismatch/],
    [await signed({ value: 1n }), /relay_call_unknown/],
    [await signed({ data: long }), /relay_call_unknown/],
  ];
  const before = exchange.stateHash();
  for (const [text, message] of rows) {
    t.match(await ask('eth_sendRawTransaction', text), { error: { code: 3, message } });
  }
  t.equal(exchange.stateHash(), before);
  const { result } = await ask('eth_sendRawTransaction', raw);
  t.match(await ask('eth_getTransactionReceipt', result), {
    result: { status: '0x1', from: trader.address, to: CONTRACT },
  });
  t.strictSame(await tokensOf(exchange, trader.address, tokenIds), [7, 7]);
  t.match(await ask('eth_sendRawTransaction', raw), { error: { message: /relay_nonce/ } });
});
