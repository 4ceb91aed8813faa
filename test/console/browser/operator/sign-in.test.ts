/** Who may use the operator's pages, and that the token stays in the memory of the page. */
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { serve } from '../../../browser/page-server.ts';
import { namedOperator, tokenOf } from '../../../http/admin/named-operator.ts';
import { enter, SAID, show, signIn, startOperatorPages } from './operator-fixture.ts';

const { exchange, browser, url, open } = await startOperatorPages(t);
const { running } = exchange;

t.test('a wrong token is refused, and the right one is kept nowhere', async (t) => {
  const page = await browser.openPage(t, { url: `${url}/ui/`, allows: [/operators got 401/] });
  await checkAppearance(t, page, 'operator-sign-in');
  await page.getByLabel('Token').fill('not the token'.replaceAll(' ', '-'));
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  t.equal(await page.getByRole('navigation').getByRole('link').count(), 0, 'no page is offered');
  // As on a strict venue, whose operator saw forms that are all refused.
  await page.route('**/ui/facts.json', (route) => route.fulfill({ json: { sandbox: false } }));
  await signIn(page, running.adminToken);
  t.equal(await page.getByRole('link', { name: 'Sandbox' }).count(), 0);
  await show(page, 'requests');
  await page.getByText('/operators').first().waitFor();
  const kept = await page.evaluate<string>(`
    JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state,
      name, document.documentElement.outerHTML,
      performance.getEntriesByType('resource').map(({ name }) => name),
    ])
  `);
  t.notMatch(kept, running.adminToken);
  t.strictSame(await page.context().cookies(), []);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').waitFor();
  t.equal(await page.getByLabel('Token').inputValue(), '');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.headers().authorization ?? 'nobody'));
  await page.goBack();
  await show(page, 'accounts');
  await page.getByLabel('Token').waitFor();
  t.strictSame(asked, [], 'nobody asks after the sign-out');
});

t.test('a token that was changed leads back to the sign-in, with the reason', async (t) => {
  t.teardown(() => running.replaceOperators(undefined));
  const page = await open(t, { allows: [/got 40[13]/] });
  running.replaceOperators({
    operators: [namedOperator('Ada', 'admin'), namedOperator('Mary', 'reader')],
    resolutionsNeedTwo: true,
  });
  await show(page, 'accounts');
  await page.getByText('The exchange no longer accepts the token.').waitFor();
  await checkAppearance(t, page, 'operator-session-lost');
  await signIn(page, tokenOf('Mary'));
  await page.getByText('Mary', { exact: true }).waitFor();
  await show(page, 'log');
  await page.getByRole('tab', { name: 'Operators' }).click();
  await page.getByText('Two operators must ask for a resolution.').waitFor();
  t.match(await page.getByRole('region', { name: 'Operators' }).innerText(), /Ada\s+admin\s+1/);
  await page.getByRole('button', { name: 'Pause or open the exchange' }).click();
  const dialog = page.getByRole('dialog');
  t.equal(await dialog.getByLabel('Your name').count(), 0, 'the token says who asks');
  await enter(dialog, { State: 'halted', Reason: SAID.Reason });
  await dialog.getByRole('button', { name: 'Set the state' }).click();
  t.match(await dialog.getByRole('alert').innerText(), /role/);
  t.equal(await dialog.getByLabel('Reason').inputValue(), SAID.Reason, 'it is still there');
});

t.test('a page of another origin can neither read, write nor show it', async (t) => {
  const trader = await exchange.trader(1);
  const before = (await exchange.operator('GET', `/accounts/${trader.address}`)).text;
  const deposit = { account: trader.address, amount: '5', key: 'stolen', by: 'x', reason: 'y' };
  const outcome = `
    const read = (path, init) => fetch('${url}' + path, init).then(() => 'read', () => 'unread');
    globalThis.found = Promise.all([
      read('/ui/facts.json'),
      read('/operators'),
      read('/operators', { headers: { authorization: 'Bearer x' } }),
      read('/deposits', { method: 'POST', body: ${JSON.stringify(JSON.stringify(deposit))} }),
    ]);
  `;
  const html = `<!DOCTYPE html><html lang="en"><title>Other</title><h1>Other</h1>
    <iframe name="ui" src="${url}/ui/"></iframe><iframe name="answer"></iframe>
    <form method="post" enctype="text/plain" target="answer" action="${url}/deposits">
    <input name='${JSON.stringify(deposit).slice(0, -1)},"rest":"' value='"}'></form>
    <script src="/script.js"></script>`;
  const other = await serve(t, ({ url: path }, response) => {
    const type = path === '/script.js' ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type });
    response.end(path === '/script.js' ? outcome : html);
  });
  const page = await browser.openPage(t, { url: other, origins: [url], allows: [/./] });
  t.strictSame(await page.evaluate('found'), ['unread', 'unread', 'unread', 'unread']);
  await page.evaluate('document.forms[0].submit()');
  const answer = page.frame({ name: 'answer' });
  await answer?.waitForURL(`${url}/deposits`);
  t.match(await answer?.content(), /foreign_origin/);
  t.equal((await exchange.operator('GET', `/accounts/${trader.address}`)).text, before);
  const frame = page.frames().find((one) => one.name() === 'ui');
  t.notMatch(await frame?.content(), /built|operator-|Token/, 'the browser shows no frame');
});
