/**
 * A browser for the tests of pages. Each page has a session of its own: cookies, storage, cache.
 *
 * Invariant: a test fails if anything went wrong in one of its pages that it did not allow
 * (page-faults.ts), and if no browser can be started.
 * Bound: one browser in a process. It ends with its test, or with the process if that is killed.
 */
import { type Browser, chromium, type Page } from 'playwright-core';
import { batchScopeOf, type Scope } from '../temporary-folder.ts';
import { chromiumPrograms, type Program } from './chromium.ts';
import { watchFaults } from './page-faults.ts';

export type Theme = 'light' | 'dark';

export interface PageOptions {
  readonly url: string;
  readonly theme?: Theme;
  /** In pixels. */
  readonly width?: number;
  /** Origins that the page may ask besides its own. */
  readonly origins?: readonly string[];
  /** Faults that may happen, such as /POST .* got 400/ where the test sends a wrong order. */
  readonly allows?: readonly RegExp[];
}

export interface TestBrowser {
  /** Opens a page at its address in a new session. The end of `t` closes it. */
  openPage(t: Scope, options: PageOptions): Promise<Page>;
}

/** Long, since another process may use the whole machine. */
const TIMEOUT_MS = 60_000;
export const WIDE = 1280;
export const NARROW = 360;
export const HEIGHT = 800;

const FLAGS: readonly string[] = [
  // The sandbox refuses to run as root and in most containers. The pages are our own.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // Nothing leaves the machine, also by a name that a page looks up without a request.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

async function start({ find, environment }: Program): Promise<Browser> {
  return chromium.launch({
    executablePath: await find(),
    args: [...FLAGS],
    env: { ...process.env, ...environment },
    timeout: TIMEOUT_MS,
  });
}

/** Rejects with what each program said if none of them starts. */
export async function startBrowser(programs: readonly Program[]): Promise<Browser> {
  const reasons: string[] = [];
  for (const program of programs) {
    try {
      return await start(program);
    } catch (error) {
      reasons.push(`${program.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new Error(
    `Pages can't be tested, because no browser starts on this machine. Install Chromium, or set \
CHROMIUM_PATH to the path of one. Tried:\n${reasons.join('\n')}`,
  );
}

async function openPage(
  browser: Browser,
  t: Scope,
  { url, theme = 'light', width = WIDE, origins = [], allows = [] }: PageOptions,
): Promise<Page> {
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: HEIGHT },
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  const found = watchFaults(context, [new URL(url).origin, ...origins]);
  t.teardown(async () => {
    // What a page reported before it answers this has arrived.
    for (const page of context.pages()) await page.evaluate('0');
    await context.close();
    const faults = found.filter((fault) => !allows.some((pattern) => pattern.test(fault)));
    if (faults.length > 0) throw new Error(`in the page ${url}:\n${faults.join('\n')}`);
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const browsers = new WeakMap<Scope, Promise<TestBrowser>>();

async function open(t: Scope): Promise<TestBrowser> {
  const browser = await startBrowser(chromiumPrograms());
  batchScopeOf(t).teardown(() => browser.close());
  return { openPage: (test, options) => openPage(browser, test, options) };
}

/**
 * The browser of all tests below `t`, which is that of a file: files that run in one process share
 * it.
 */
export function openBrowser(t: Scope): Promise<TestBrowser> {
  const known = browsers.get(t);
  if (known !== undefined) return known;
  const opened = open(t);
  browsers.set(t, opened);
  return opened;
}
