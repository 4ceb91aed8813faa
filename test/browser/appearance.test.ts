import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  accessibilityFaults,
  checkAccessibility,
  checkAppearance,
  LOOKS,
  screenshot,
} from './appearance.ts';
import { openBrowser } from './browser.ts';
import { servePage } from './page-server.ts';

const browser = await openBrowser(t);
const LOOSE = "default-src 'self'; style-src 'unsafe-inline'";

t.test('what assistive technology cannot use is found, under a strict policy', async (t) => {
  const url = await servePage(t, { body: '<img src="/icon.png"><button></button>' });
  const page = await browser.openPage(t, { url });
  t.strictSame(await accessibilityFaults(page), [
    'button-name at button: Buttons must have discernible text',
    'image-alt at img: Images must have alternative text',
  ]);
  const good = await browser.openPage(t, { url: await servePage(t, { body: '<p>Text</p>' }) });
  await checkAccessibility(t, good);
});

t.test('a fault of one theme or width is found there, and each look has a picture', async (t) => {
  const folder = temporaryFolder(t);
  const head = `<style>
    body { background: white; color: black; }
    h1 { min-width: 500px; }
    @media (prefers-color-scheme: dark) { body { color: #ccc; } }
  </style>`;
  const url = await servePage(t, { head, policy: LOOSE });
  const page = await browser.openPage(t, { url, width: 700, theme: 'dark' });
  const faults: unknown[] = [];
  const recorder = {
    strictSame: (...[found, , where]: readonly unknown[]) => faults.push([where, found]),
    equal: (...[found, , where]: readonly unknown[]) => faults.push([where, found]),
  };
  await checkAppearance(recorder, page, 'faulty', folder);
  const contrast = [
    'color-contrast at h1: Elements must meet minimum color contrast ratio thresholds',
  ];
  const wanted = LOOKS.flatMap(({ theme, width }) => [
    [
      `axe-core finds nothing: faulty, ${theme}, ${width} pixels wide`,
      theme === 'dark' ? contrast : [],
    ],
    [`nothing is cut off: faulty, ${theme}, ${width} pixels wide`, width === 360 ? 148 : 0],
  ]);
  t.strictSame(faults, wanted);
  t.strictSame(
    readdirSync(folder).toSorted(),
    LOOKS.map(({ theme, width }) => `faulty-${theme}-${width}.png`).toSorted(),
  );
  const look = "[matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]";
  t.strictSame(await page.evaluate(look), [true, 700], 'it looks as before');
});

/** In the head of a PNG file. */
const WIDTH_OFFSET = 16;

t.test('a picture shows the whole page', async (t) => {
  const folder = temporaryFolder(t);
  const head = '<style>h1 { height: 2000px; }</style>';
  const url = await servePage(t, { head, policy: LOOSE });
  const page = await browser.openPage(t, { url });
  await screenshot(page, 'tall', folder);
  const picture = readFileSync(join(folder, 'tall-dark-360.png'));
  t.equal(picture.toString('latin1', 1, 4), 'PNG');
  t.equal(picture.readUInt32BE(WIDTH_OFFSET), 360);
  t.ok(picture.readUInt32BE(WIDTH_OFFSET + 4) > 2000);
});
