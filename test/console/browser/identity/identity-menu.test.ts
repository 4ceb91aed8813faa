/** Choosing an account in a browser: dev accounts, a pasted key, wallets. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { DEV_KEYS } from '../../../../cli/options/dev-keys.ts';
import { checkAppearance } from '../../../browser/appearance.ts';
import { openBrowser } from '../../../browser/browser.ts';
import { shareTestExchange, startTestExchange } from '../../../http/exchange-fixture.ts';
import type { Scope } from '../../../temporary-folder.ts';
import { FakeWallet } from '../fake-wallet.ts';

// Browsers sign with the time of day.
const share = await shareTestExchange(t, { devKeys: DEV_KEYS.slice(0, 3), now: Date.now });
const exchange = share();
const { url } = exchange.running;
const browser = await openBrowser(t);

const DEV_BUTTONS = [/^Dev 0 0xf39F…2266$/, /^Dev 1 0x7099…79C8$/] as const;
const DEV_ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Of no dev account. */
const KEY = `0x${'ab'.repeat(32)}`;

async function openDialog(t: Scope, prepare = async (_: Page): Promise<void> => {}) {
  const page = await browser.openPage(t, { url: `${url}/ui/` });
  await prepare(page);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Wallets of the browser' }).waitFor();
  return page;
}

/** What a page keeps, where a script of this origin could read it later. */
async function storedBy(page: Page): Promise<string> {
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
  return `${await page.evaluate<string>(stored)} ${page.url()}`;
}

t.test('a dev account signs in, shows its cash, changes and leaves', async (t) => {
  const page = await openDialog(t);
  await checkAppearance(t, page, 'identity');
  await page.getByRole('button', { name: DEV_BUTTONS[0] }).click();
  const menu = page.getByRole('button', { name: /^Dev 0 0xf39f…2266/ });
  await menu.getByText('$10,000.00').waitFor();
  t.equal(await page.getByRole('dialog').count(), 0, 'the choice closes the dialog');
  const gift = { body: JSON.stringify({ address: DEV_ADDRESS, amount: '5.009' }) };
  t.equal((await exchange.send('POST', '/faucet', gift)).status, 200);
  await menu.getByText('$10,005.00').waitFor();
  await menu.click();
  await page.getByText(DEV_ADDRESS).waitFor();
  await checkAppearance(t, page, 'identity-signed-in');
  await page.getByRole('button', { name: DEV_BUTTONS[1] }).click();
  await page.getByRole('button', { name: /^Dev 1 0x7099…79c8/ }).click();
  const stored = await storedBy(page);
  for (const key of DEV_KEYS) t.notOk(stored.includes(key.slice(2)), 'no key is stored');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

t.test('a pasted key stays in memory, and a malformed one is refused', async (t) => {
  const page = await openDialog(t);
  const field = page.getByLabel('Key: 0x and 64 hex digits');
  t.equal(await field.getAttribute('type'), 'password');
  await field.fill('0x12');
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('The private key has 2 hex digits after 0x. It must have 64.').waitFor();
  await field.fill(KEY);
  await page.getByRole('button', { name: 'Use this key' }).click();
  await page.getByText('$10,000.00').waitFor();
  t.notOk((await storedBy(page)).includes(KEY.slice(2)));
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

t.test('a guest gives a name and is in, also after a reload, until it is forgotten', async (t) => {
  const page = await openDialog(t);
  await page.getByLabel('Your name').fill('Ada <b>');
  await page.getByRole('button', { name: 'Play as a guest' }).click();
  const menu = page.getByRole('button', { name: /^Ada <b>/ });
  await menu.getByText('$10,000.00').waitFor();
  await page.reload();
  await menu.getByText('$10,000.00').waitFor();
  await menu.click();
  await checkAppearance(t, page, 'identity-guest');
  const address = (await page.locator('dialog code').first().textContent()) ?? '';
  const profile = await exchange.send('GET', `/gamma/public-profile?address=${address}`);
  t.match(profile, { status: 200, body: { name: 'Ada <b>' } });
  await page.getByRole('button', { name: 'Forget this guest' }).click();
  await page.getByRole('button', { name: 'Forget it for good' }).click();
  t.equal(await storedBy(page).then((stored) => /0x[0-9a-f]{64}/.test(stored)), false);
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

t.test('a guest whose name is refused is in all the same, and is told', async (t) => {
  const page = await browser.openPage(t, { url: `${url}/ui/`, allows: [/422/] });
  const refusal = { error: 'no such name', code: 'invalid_payload' };
  await page.route('**/profile', (route) => route.fulfill({ status: 422, json: refusal }));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Play as a guest' }).click();
  await page.getByText('Your name was not saved: no such name').waitFor();
  await page.getByRole('button', { name: /\$10,000\.00/ }).waitFor();
});

t.test('an invitation lets a guest in where the operator admits owners', async (t) => {
  const settings = { newOwners: 'operator', now: Date.now } as const;
  const { operator, running } = await startTestExchange(t, settings);
  const { text } = await operator('POST', '/invitations', { amount: '5' });
  const [{ path }] = JSON.parse(text).invitations;
  const page = await browser.openPage(t, { url: `${running.url}${path}` });
  await page.getByLabel('Your name').fill('Grace');
  await checkAppearance(t, page, 'join');
  await page.getByRole('button', { name: 'Play as a guest' }).click();
  await page
    .getByRole('button', { name: /^Grace/ })
    .getByText('$10,005.00')
    .waitFor();
  const allows = [/accept got 409/];
  const other = await browser.openPage(t, { url: `${running.url}${path}`, allows });
  await other.getByLabel('Your name').fill('Mallory');
  await other.getByRole('button', { name: 'Play as a guest' }).click();
  await other.getByText('another account has accepted this invitation', { exact: false }).waitFor();
  t.notMatch(await storedBy(other), /0x[0-9a-f]{64}/, 'who is refused is no guest');
});

/** The part of the page in which the wallet announces itself; the wallet is in this process. */
const ANNOUNCE = `{
  const listeners = new Map();
  const provider = {
    request: async (call) => {
      const { result, error } = await callWallet(call);
      if (error !== undefined) throw error;
      return result;
    },
    on: (event, listener) => listeners.set(event, listener),
    removeListener: (event) => listeners.delete(event),
  };
  globalThis.emitFromWallet = (event, detail) => listeners.get(event)(detail);
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
  const announce = (uuid, name) => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
    detail: { info: { uuid, name, icon, rdns: 'org.example' }, provider },
  }));
  addEventListener('eip6963:requestProvider', () => {
    announce('1', 'Good wallet');
    announce('2', '<img src=x onerror=alert(1)>');
  });
}`;

async function addWallet(page: Page, wallet: FakeWallet): Promise<void> {
  await page.exposeFunction('callWallet', async (call: { method: string; params?: unknown[] }) => {
    try {
      return { result: await wallet.request(call) };
    } catch (error) {
      // Safe: the fake wallet throws errors of this form.
      const { code, message } = error as Error & { code: number };
      return { error: { code, message } };
    }
  });
  await page.evaluate(ANNOUNCE);
}

t.test('a wallet of the browser signs in; a page says why it left', async (t) => {
  const wallet = new FakeWallet(KEY);
  const page = await openDialog(t, (page) => addWallet(page, wallet));
  await page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  wallet.refusals = { eth_requestAccounts: { code: 4001, message: 'no' } };
  await page.getByRole('button', { name: 'Good wallet' }).click();
  await page.getByText('You refused in the wallet to show an account to this page.').waitFor();
  await checkAppearance(t, page, 'identity-wallets');
  wallet.refusals = {};
  await page.getByRole('button', { name: 'Good wallet' }).click();
  await page.getByText('$10,000.00').waitFor();
  t.ok(wallet.calls.includes('eth_signTypedData_v4'));
  await page.evaluate("emitFromWallet('accountsChanged', [])");
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The wallet no longer shows an account to this page.').waitFor();
});

t.test('where keys are not accepted, there is no field for one', async (t) => {
  const page = await openDialog(t, async (page) => {
    await page.route('**/facts.json', async (route) => {
      const facts = await (await route.fetch()).json();
      await route.fulfill({ json: { ...facts, acceptsKeys: false, devAccounts: [] } });
    });
  });
  await page.getByText('This page takes no private keys', { exact: false }).waitFor();
  t.equal(await page.locator('dialog input[type=password]').count(), 0);
  t.equal(await page.getByRole('button', { name: /^Dev/ }).count(), 0);
});
