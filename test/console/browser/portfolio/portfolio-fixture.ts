// Sessions of the console on one exchange, and programs that sign for the same accounts.
import type { Page } from 'playwright-core';
import { openBrowser, type PageOptions } from '../../../browser/browser.ts';
import { startTestExchange, type TestExchange } from '../../../http/exchange-fixture.ts';
import { makeSigner } from '../../../http/signing/fixtures.ts';
import type { Scope } from '../../../temporary-folder.ts';

const ACCOUNTS = 8;

export interface Consoles {
  readonly exchange: TestExchange;
  /** A page at a place of the console, of nobody. */
  open(t: Scope, place: string, options?: Partial<PageOptions>): Promise<Page>;
  /** A page of an account. `exchange.trader` of the same number signs for the same account. */
  openAs(t: Scope, number: number, place: string, options?: Partial<PageOptions>): Promise<Page>;
}

function keyOf(number: number): string {
  return `0x${Buffer.from(makeSigner(number).privateKey).toString('hex')}`;
}

/** Chooses the dev account of the nth trader, from 1. */
async function signIn(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^Dev ${number - 1} `) })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** An exchange by the clock of this machine, as pages sign by it. */
export async function openConsoles(t: Scope): Promise<Consoles> {
  const devKeys = Array.from({ length: ACCOUNTS }, (_, index) => keyOf(index + 1));
  const exchange = await startTestExchange(t, { devKeys, now: Date.now });
  const browser = await openBrowser(t);
  const open = (test: Scope, place: string, options: Partial<PageOptions> = {}) =>
    browser.openPage(test, { url: `${exchange.running.url}/ui/#/${place}`, ...options });
  return {
    exchange,
    open,
    openAs: async (test, number, place, options) => {
      const page = await open(test, place, options);
      await signIn(page, number);
      return page;
    },
  };
}
