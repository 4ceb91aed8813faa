/** Pages of markets in a browser, on an exchange with two dev accounts. */
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { builtinEvents } from '../../../../catalog/builtin/index.ts';
import { DEV_KEYS } from '../../../../cli/options/dev-keys.ts';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { openBrowser, type PageOptions } from '../../../browser/browser.ts';
import {
  shareTestExchange,
  type TestExchange,
  type Trader,
} from '../../../http/exchange-fixture.ts';
import type { Scope } from '../../../temporary-folder.ts';

const SETTINGS = { now: Date.now, devKeys: DEV_KEYS.slice(0, 2) };

export interface MarketPages {
  /** Each call has a market of its own. */
  share(): TestExchange;
  /** The page of a market; `account` is the number of a dev account that signs in. */
  open(t: Scope, market: MarketEntry, options?: OpenOptions): Promise<Page>;
}

interface OpenOptions extends Partial<PageOptions> {
  readonly account?: 1 | 2;
  /** Where the exchange is for this page. */
  readonly origin?: string;
}

async function signIn(page: Page, account: 1 | 2): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Dev ${account - 1} 0x` }).click();
  await page.getByText(/You can (spend|sell)/).waitFor();
}

/** Which market a test gets depends on the files before it, and some have other outcomes. */
const YES_OR_NO = new Set(
  builtinEvents()
    .flatMap(({ markets }) => markets)
    .filter(({ outcomes }) => /^\W*Yes\W+No\W*$/.test(String(outcomes)))
    .map(({ conditionId }) => conditionId),
);

export async function startMarketPages(t: Test): Promise<MarketPages> {
  const share = await shareTestExchange(t, SETTINGS);
  const browser = await openBrowser(t);
  return {
    share: () => {
      let one = share();
      while (!YES_OR_NO.has(one.plain.conditionId)) one = share();
      return one;
    },
    open: async (scope, { conditionId }, { account, origin, ...options } = {}) => {
      const root = origin ?? share().running.url;
      const url = `${root}/ui/#/market/${conditionId}`;
      const page = await browser.openPage(scope, { ...options, url });
      await page.getByText('live', { exact: true }).waitFor();
      if (account !== undefined) await signIn(page, account);
      return page;
    },
  };
}

/** Until the book has these rows from top to bottom: price, size, sum, a star for own orders. */
export async function bookShows(page: Page, rows: readonly string[]): Promise<void> {
  await page.waitForFunction((wanted) => {
    const rowsOf = (side: string) => [
      ...document.querySelectorAll(`.${side} .book-row:not([hidden])`),
    ];
    // The document has the best rows first.
    const shown = [...rowsOf('asks').toReversed(), ...rowsOf('bids')].map((row) => {
      const parts = [...row.querySelectorAll('.price, .number')].map((part) =>
        part.textContent.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''),
      );
      return [...parts, ...(row.classList.contains('own') ? ['*'] : [])].join(' ');
    });
    return shown.join() === wanted;
  }, rows.join());
}

export function ticketOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Ticket' });
}

/** Bids and asks for YES by a trader, in ticks and lots. */
export async function quote(
  trader: Trader,
  market: MarketEntry,
  levels: readonly (readonly [priceTicks: number, lots: number])[],
): Promise<void> {
  for (const [priceTicks, lots] of levels) {
    // A bid for NO is an ask for YES.
    const isBid = priceTicks < 5_000;
    const tokenId = market.tokenIds[isBid ? 0 : 1];
    await trader.place({ tokenId, lots, priceTicks: isBid ? priceTicks : 10_000 - priceTicks });
  }
}
