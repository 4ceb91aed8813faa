/** The operator's pages in a browser, on an exchange that keeps its data for the test. */
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Settings } from '../../../../http/settings/settings.ts';
import { openBrowser, type PageOptions, type TestBrowser } from '../../../browser/browser.ts';
import { startTestExchange, type TestExchange } from '../../../http/exchange-fixture.ts';
import { type Scope, temporaryFolder } from '../../../temporary-folder.ts';

export interface OperatorPages {
  readonly exchange: TestExchange;
  readonly browser: TestBrowser;
  /** The address of the operator's listener. */
  readonly url: string;
  /** A page whose operator has signed in. */
  open(t: Scope, options?: Partial<PageOptions>): Promise<Page>;
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

export async function startOperatorPages(
  t: Test,
  settings: Partial<Settings> = {},
): Promise<OperatorPages> {
  const dataDir = join(temporaryFolder(t), 'data');
  const exchange = await startTestExchange(t, {
    ...{ temporary: false, dataDir, now: Date.now, snapshotMs: 0 },
    ...settings,
  });
  const { adminPort, adminToken } = exchange.running;
  const browser = await openBrowser(t);
  const url = `http://127.0.0.1:${adminPort}`;
  return {
    ...{ exchange, browser, url },
    open: async (scope, options = {}) => {
      const page = await browser.openPage(scope, { url: `${url}/ui/`, ...options });
      await signIn(page, adminToken);
      return page;
    },
  };
}

/** Shows a place of the page, such as `accounts`. */
export async function show(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
}

/** Fills fields, or chooses values of lists, by the beginnings of their labels. */
export async function enter(
  form: Locator,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = form.getByLabel(label).first();
    const isList = (await field.evaluate((node) => node.tagName)) === 'SELECT';
    await (isList ? field.selectOption(value) : field.fill(value));
  }
}

/** Names who asks and why, in words that no other test uses. */
export const SAID = { 'Your name': 'Grace', Reason: 'the test asks for it' } as const;

/** Presses a button of the dialog, and waits until the dialog is closed. */
export async function finish(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'detached' });
}
