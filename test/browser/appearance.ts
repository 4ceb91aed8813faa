/**
 * Looks at a page as people see it: in both themes, wide and narrow. Finds what assistive
 * technology or a narrow screen can't use, and takes pictures for people to look at.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { isLong } from '../long-set.ts';
import { HEIGHT, NARROW, type Theme, WIDE } from './browser.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const KEPT = fileURLToPath(new URL('../../node_modules/.cache/screenshots', import.meta.url));
/** The folder for pictures; undefined if none are taken, because they take time. */
const PICTURES = process.env.SCREENSHOTS ?? (isLong ? KEPT : undefined);

interface Look {
  readonly theme: Theme;
  readonly width: number;
}

/**
 * Each theme and each width once. Where somebody wants the pictures, and in `npm run test:long`,
 * each theme in each width: twice as many pages are drawn then.
 */
export const LOOKS: readonly Look[] =
  PICTURES !== undefined
    ? (['light', 'dark'] as const).flatMap((theme) =>
        [WIDE, NARROW].map((width) => ({ theme, width })),
      )
    : [
        { theme: 'light', width: WIDE },
        { theme: 'dark', width: NARROW },
      ];

/** A page hears of another theme after it has drawn a frame in it, and draws another one then. */
const FRAMES_OF_A_CHANGE = 3;

/** Until the page has drawn what it was told before. */
export async function whenDrawn(page: Page): Promise<void> {
  for (let frame = 0; frame < FRAMES_OF_A_CHANGE; frame += 1) {
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

async function show(page: Page, { theme, width }: Look, height = HEIGHT): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
  await whenDrawn(page);
}

/** Calls `visit` in each look, one after the other. Afterwards the page looks as it did before. */
async function eachLook(page: Page, visit: (look: Look) => Promise<void>): Promise<void> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const { width, height } = page.viewportSize() ?? { width: WIDE, height: HEIGHT };
  for (const look of LOOKS) {
    await show(page, look);
    await visit(look);
  }
  await show(page, { theme: isDark ? 'dark' : 'light', width }, height);
}

/** The part of a tap test that `checkAppearance` needs. */
export interface Checks {
  equal(found: unknown, wanted: unknown, message: string): unknown;
  strictSame(found: unknown, wanted: unknown, message: string): unknown;
}

/** The violations of all rules of axe-core: rule, selector of the element, what is to be done. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(`
    axe.run({ preload: false, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target }) => id + ' at ' + target.flat().join(' ') + ': ' + help)))
  `);
}

export async function checkAccessibility(t: Pick<Checks, 'strictSame'>, page: Page): Promise<void> {
  t.strictSame(await accessibilityFaults(page), [], `axe-core finds nothing at ${page.url()}`);
}

/** How many pixels a person must scroll sideways. */
async function sidewaysPixels(page: Page): Promise<number> {
  const { width = 0 } = page.viewportSize() ?? {};
  return (await page.evaluate<number>('document.scrollingElement.scrollWidth')) - width;
}

async function savePicture(page: Page, path: string, { theme, width }: Look): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({
    path: `${path}-${theme}-${width}.png`,
    fullPage: true,
    animations: 'disabled',
  });
}

/** Saves a picture of a page in each look: `name-dark-360.png` is one. */
export async function screenshot(page: Page, name: string, folder: string): Promise<void> {
  await eachLook(page, (look) => savePicture(page, join(folder, name), look));
}

/**
 * Checks a page, in the state in which it is, in each of `LOOKS`: axe-core finds nothing,
 * and it fits its width. Saves the pictures of `screenshot` in the folder, if there is one.
 */
export async function checkAppearance(
  t: Checks,
  page: Page,
  name: string,
  folder = PICTURES,
): Promise<void> {
  await eachLook(page, async (look) => {
    const where = `${name}, ${look.theme}, ${look.width} pixels wide`;
    t.strictSame(await accessibilityFaults(page), [], `axe-core finds nothing: ${where}`);
    t.equal(Math.max(0, await sidewaysPixels(page)), 0, `nothing is cut off: ${where}`);
    if (folder !== undefined) await savePicture(page, join(folder, name), look);
  });
}
