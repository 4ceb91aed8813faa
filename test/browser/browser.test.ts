/** Each fault of a page makes its test fail. The pages here have one each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Scope } from '../temporary-folder.ts';
import { openBrowser, type PageOptions, startBrowser } from './browser.ts';
import { chromiumPrograms } from './chromium.ts';
import { type PageParts, serve, servePage } from './page-server.ts';

const browser = await openBrowser(t);

type Fault = readonly [name: string, parts: PageParts, found: RegExp];

const LOOSE = "default-src * 'unsafe-inline'";

const FAULTS: readonly Fault[] = [
  ['an error', { script: "console.error('oh')" }, /^console error: oh \(http.*script\.js:0\)$/m],
  ['a warning', { script: "console.warn('oh')" }, /^console warning: oh/m],
  ['an assertion', { script: "console.assert(false, 'oh')" }, /^console assert: oh/m],
  ['an exception', { script: "throw new Error('oh')" }, /^uncaught: Error: oh\n.*script\.js/m],
  ['a rejection', { script: "Promise.reject(new Error('oh'))" }, /^uncaught: Error: oh/m],
  [
    'an inline script that the policy refuses',
    { body: '<script>document.title = 1</script>' },
    /^console error: .*inline script violates.*script-src 'self'/m,
  ],
  [
    'an inline style that the policy refuses',
    { body: '<p style="color: red">a</p>' },
    /^console error: .*inline style violates/m,
  ],
  [
    'a request that the policy refuses',
    { script: "work = fetch('http://localhost:9/').catch(() => {})" },
    /^console error: .*http:\/\/localhost:9\/' violates/m,
  ],
  ['a missing file', { body: '<img src="/no.png" alt="a">' }, /^GET .*\/no\.png got 404$/m],
  [
    'a request without an answer',
    { script: "work = fetch('http://127.0.0.1:1/').catch(() => {})", policy: LOOSE },
    /^GET http:\/\/127\.0\.0\.1:1\/ failed: net::/m,
  ],
  [
    'a request to another server',
    { body: '<img src="http://example.com/a.png" alt="a">', policy: LOOSE },
    /^GET http:\/\/example\.com\/a\.png goes outside: only http:\/\/127.0.0.1:\d+ may be asked$/m,
  ],
  [
    'a request to another port',
    { body: '<img src="http://127.0.0.1:1/a.png" alt="a">', policy: LOOSE },
    /^GET http:\/\/127\.0\.0\.1:1\/a\.png goes outside/m,
  ],
  [
    'a socket to another server',
    { script: "new WebSocket('ws://example.com/a')", policy: LOOSE },
    /^a socket to ws:\/\/example\.com\/a goes outside/m,
  ],
];

/** Opens a page as a test does, and ends that test. */
async function visit(url: string, options: Partial<PageOptions> = {}): Promise<void> {
  const ends: (() => unknown)[] = [];
  const test: Scope = { teardown: (end) => ends.push(end) };
  const page = await browser.openPage(test, { url, ...options });
  // What a script does after the page has loaded.
  await page.evaluate('globalThis.work');
  for (const end of ends) await end();
}

for (const [name, parts, found] of FAULTS) {
  t.test(`${name} makes the test fail`, async (t) => {
    const url = await servePage(t, parts);
    await t.rejects(visit(url), { message: found });
  });
}

t.test('a page without a fault is none, and only the faults of a page are allowed', async (t) => {
  await visit(await servePage(t, { script: "console.log('oh'); work = fetch('/')" }));
  const url = await servePage(t, { script: "console.error('one'); console.error('two')" });
  await t.rejects(visit(url, { allows: [/: one/] }), { message: /^in .*\nconsole error: two.*$/ });
  await visit(url, { allows: [/: one/, /: two/] });
});

t.test('a fault of the last moment is found', async (t) => {
  const ends: (() => unknown)[] = [];
  const url = await servePage(t, {});
  const page = await browser.openPage({ teardown: (end) => ends.push(end) }, { url });
  const last = page.evaluate("console.error('late')").catch(() => {});
  for (const end of ends) await t.rejects(Promise.resolve(end()), { message: /late/ });
  await last;
});

t.test('a page may ask other origins that its test names', async (t) => {
  const other = await serve(t, (_, response) => response.writeHead(204).end());
  const script = `work = fetch('${other}', { mode: 'no-cors' })`;
  const url = await servePage(t, { script, policy: LOOSE });
  await visit(url, { origins: [other] });
  await t.rejects(visit(url), { message: /goes outside/ });
});

t.test('a page has its theme and width, and shares no storage with others', async (t) => {
  const url = await servePage(t, {});
  const first = await browser.openPage(t, { url, theme: 'dark', width: 500 });
  await first.evaluate("localStorage.setItem('a', 'b')");
  const dark = "[matchMedia('(prefers-color-scheme: dark)').matches, innerWidth]";
  t.strictSame(await first.evaluate(dark), [true, 500]);
  const second = await browser.openPage(t, { url });
  t.strictSame(await second.evaluate(dark), [false, 1280]);
  t.equal(await second.evaluate('localStorage.length'), 0);
});

t.test('a machine without a browser is told what was tried', async (t) => {
  const none = chromiumPrograms('/nowhere/chromium');
  const broken = chromiumPrograms(process.execPath);
  const message = /no browser starts.*CHROMIUM_PATH.*\/nowhere\/chromium: there is no such file\n/s;
  await t.rejects(startBrowser([...none, ...broken]), { message });
  t.equal(chromiumPrograms()[0]?.name.split(' ')[0], '@sparticuz/chromium', 'the pinned one first');
});

t.test('a browser ends when its process is killed', async (t) => {
  let heard = (): void => {};
  const connected = new Promise<void>((resolve) => {
    heard = resolve;
  });
  let lost = (): void => {};
  const ended = new Promise<void>((resolve) => {
    lost = resolve;
  });
  // An answer that never comes: the connection lasts as long as the browser.
  const url = await serve(t, (request) => {
    request.socket.once('close', lost);
    heard();
  });
  const program = fileURLToPath(new URL('browser-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, url], { stdio: 'inherit' });
  const exited = once(child, 'exit');
  await connected;
  child.kill('SIGKILL');
  await exited;
  await ended;
  t.pass('the connection of the page is closed');
});
