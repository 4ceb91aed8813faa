import t from 'tap';
import { openBrowser } from './browser.ts';
import { measureFrames } from './frame-times.ts';
import { servePage } from './page-server.ts';

const BUSY_MS = 150;

t.test('a frame is as long as the page is busy', async (t) => {
  const browser = await openBrowser(t);
  const page = await browser.openPage(t, { url: await servePage(t, {}) });
  const times = await measureFrames(page, async () => {
    await page.evaluate('new Promise(requestAnimationFrame)');
    await page.evaluate(`{
      const start = performance.now();
      while (performance.now() < start + ${BUSY_MS});
    }`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  });
  t.ok(times.length >= 1);
  t.ok(Math.max(...times) >= BUSY_MS, `the longest of ${times}`);
});
