import t from 'tap';
import { walletHeaders } from '../../../../console/browser/signing/api-key.ts';
import {
  discoverWallets,
  type FoundWallet,
} from '../../../../console/browser/signing/discover-wallets.ts';
import { signOrder } from '../../../../console/browser/signing/order.ts';
import { keySigner } from '../../../../console/browser/signing/signer.ts';
import {
  connectWallet,
  walletSigner,
  watchWallet,
} from '../../../../console/browser/signing/wallet-signer.ts';
import { lots, micros, ticks } from '../../../../engine/model/index.ts';
import { DEFAULT_DOMAINS } from '../../../../http/signing/domains.ts';
import { FakeWallet, walletError } from '../fake-wallet.ts';
import { PRIVATE_KEY } from './published-signer.ts';

const PROOF = { chainId: 137, nonce: '0', nowMs: 1_780_449_126_930 };

t.test('a wallet signs what a key signs', async (t) => {
  const wallet = new FakeWallet(PRIVATE_KEY);
  const [address = ''] = await connectWallet(wallet);
  const [byWallet, byKey] = [walletSigner(wallet, address), await keySigner(PRIVATE_KEY)];
  t.match(byWallet, { address: byKey.address, kind: 'wallet' });
  t.strictSame(await walletHeaders(byWallet, PROOF), await walletHeaders(byKey, PROOF));
  t.strictSame(wallet.calls, ['eth_requestAccounts', 'eth_chainId', 'eth_signTypedData_v4']);
  const terms = {
    ...({ tokenId: '7', negRisk: true, side: 'SELL', type: 'GTC' } as const),
    ...{ priceTicks: ticks(4_200), lots: lots(1_000), budgetMicros: micros(0) },
    ...{ expirationSeconds: 0, postOnly: false },
  };
  const context = { chainId: 137, domains: DEFAULT_DOMAINS, apiKey: 'key', nowMs: PROOF.nowMs };
  const { body } = await signOrder(terms, byWallet, context);
  t.match(body.order, { maker: byKey.address, signature: /^0x[0-9a-f]{130}$/ });
});

t.test('a wallet on another chain is asked to switch before it signs', async (t) => {
  const wallet = new FakeWallet(PRIVATE_KEY, 1);
  await walletHeaders(walletSigner(wallet, wallet.address), PROOF);
  t.equal(wallet.chainId, 137);
  t.strictSame(wallet.calls, [
    ...['eth_chainId', 'wallet_switchEthereumChain', 'eth_chainId', 'eth_signTypedData_v4'],
  ]);
});

const SWITCH = 'wallet_switchEthereumChain';
const SIGN = 'eth_signTypedData_v4';
const ELSEWHERE = /The wallet is on chain 1; this exchange signs for chain 137\. /;

type Row = readonly [
  refusals: Readonly<Record<string, unknown>>,
  answers: Readonly<Record<string, unknown>>,
  code: string,
  messages: readonly RegExp[],
];

/** What a wallet on chain 1 does, and what its user is told. */
const ROWS: readonly Row[] = [
  [{ eth_chainId: walletError(4900, 'no') }, {}, 'wallet_failed', [/which chain it is on: no/]],
  [{}, { eth_chainId: 'x' }, 'wallet_failed', [/did not say which chain/]],
  [{ [SWITCH]: walletError(4902, 'no') }, {}, 'wrong_chain', [ELSEWHERE, /add it there/]],
  [
    { [SWITCH]: { code: -32603, data: { originalError: { code: 4902 } } } },
    {},
    'wrong_chain',
    [ELSEWHERE, /does not know that chain/],
  ],
  [{ [SWITCH]: walletError(4001, 'no') }, {}, 'wrong_chain', [ELSEWHERE, /Choose chain 137/]],
  [{}, { [SWITCH]: null }, 'wrong_chain', [ELSEWHERE, /It stayed on chain 1\./]],
  [{ [SIGN]: walletError(4001, 'no') }, {}, 'rejected', [/You refused in the wallet to sign\./]],
  [{ [SIGN]: walletError(-32002, 'no') }, {}, 'wallet_failed', [/shows an earlier question/]],
  [{ [SIGN]: walletError(-32603, 'why') }, {}, 'wallet_failed', [/failed to sign: why/]],
  [{ [SIGN]: 'text' }, {}, 'wallet_failed', [/failed to sign: it gave no reason/]],
  [{ [SIGN]: walletError(-1, 'x'.repeat(900)) }, {}, 'wallet_failed', [/failed to sign: x{200}…$/]],
  [{}, { [SIGN]: `0x${'1'.repeat(200)}` }, 'wallet_failed', [/Wallets that are contracts/]],
  [{}, { [SIGN]: null }, 'wallet_failed', [/something else than a signature of 65 bytes/]],
];

t.test('what a wallet refuses is said in a sentence', async (t) => {
  for (const [refusals, answers, code, messages] of ROWS) {
    const wallet = new FakeWallet(PRIVATE_KEY, 1);
    Object.assign(wallet, { refusals, answers });
    const signed = walletHeaders(walletSigner(wallet, wallet.address), PROOF);
    for (const message of messages) await t.rejects(signed, { code, message }, String(message));
  }
});

t.test('a wallet that shows no account is not connected', async (t) => {
  const wallet = new FakeWallet(PRIVATE_KEY);
  for (const answer of [[], ['0x12'], 'x', null]) {
    wallet.answers = { eth_requestAccounts: answer };
    await t.rejects(connectWallet(wallet), { code: 'wallet_failed', message: /no account/ });
  }
  wallet.refusals = { eth_requestAccounts: walletError(4001, 'no') };
  const message = 'You refused in the wallet to show an account to this page.';
  await t.rejects(connectWallet(wallet), { code: 'rejected', message });
});

t.test('the page hears once that an account left its wallet', (t) => {
  const other = `0x${'1'.repeat(40)}`;
  const rows = [
    ['accountsChanged', [], /no longer shows an account/],
    ['accountsChanged', [other], /Another account was chosen/],
    ['disconnect', walletError(4900, 'no'), /has lost its connection/],
  ] as const;
  for (const [event, detail, reason] of rows) {
    const wallet = new FakeWallet(PRIVATE_KEY);
    const reasons: string[] = [];
    watchWallet(wallet, wallet.address, (text) => reasons.push(text));
    wallet.emit('accountsChanged', [wallet.address, other]);
    t.strictSame(reasons, [], 'the account is still the chosen one');
    wallet.emit(event, detail);
    wallet.emit(event, detail);
    t.equal(reasons.length, 1);
    t.match(reasons[0], reason);
    t.equal(wallet.listening, 0);
  }
  t.end();
});

const INFO = { uuid: '1', name: 'Good', icon: 'data:image/png;base64,AA==', rdns: 'a.good' };

/** A window in which these wallets announce themselves when they are asked to. */
function windowWith(...details: readonly unknown[]): EventTarget {
  const window = new EventTarget();
  window.addEventListener('eip6963:requestProvider', () => {
    for (const detail of details) {
      window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }));
    }
  });
  return window;
}

function found(window: EventTarget): readonly FoundWallet[] {
  let last: readonly FoundWallet[] = [];
  discoverWallets(window, (wallets) => {
    last = wallets;
  })();
  return last;
}

t.test('wallets announce themselves, and each is listed once', (t) => {
  const provider = new FakeWallet(PRIVATE_KEY);
  const announced = { info: INFO, provider };
  const wallets = found(windowWith(announced, announced));
  t.equal(wallets.length, 1);
  t.strictSame({ ...wallets[0], provider: undefined }, { ...INFO, provider: undefined });
  t.equal(wallets[0]?.provider, provider);
  t.end();
});

t.test('announcements of strangers are bounded', (t) => {
  const provider = new FakeWallet(PRIVATE_KEY);
  const wrong = [
    undefined,
    null,
    7,
    {},
    { info: INFO },
    { info: INFO, provider: {} },
    { info: null, provider },
    { info: { ...INFO, name: '' }, provider },
    { info: { ...INFO, name: 7 }, provider },
    { info: { ...INFO, name: 'x'.repeat(101) }, provider },
    { info: { ...INFO, uuid: 'x'.repeat(101) }, provider },
    { info: { ...INFO, rdns: undefined }, provider },
  ];
  t.strictSame(found(windowWith(...wrong)), []);
  const icons = [
    'https://example.com/icon.png',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    ` ${INFO.icon}`,
    `data:image/png;base64,${'A'.repeat(100_000)}`,
    undefined,
  ];
  for (const icon of icons) {
    const [wallet] = found(windowWith({ info: { ...INFO, icon }, provider }));
    t.equal(wallet?.icon, '', 'the wallet is listed without it');
  }
  const many = Array.from({ length: 30 }, (_, index) => {
    return { info: { ...INFO, uuid: String(index) }, provider };
  });
  t.equal(found(windowWith(...many)).length, 20);
  t.end();
});
