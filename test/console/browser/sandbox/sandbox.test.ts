/** The sandbox in the operator's pages: time, checkpoints, faults with their hits, the crowd. */
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { enter, finish, show, startOperatorPages } from '../operator/operator-fixture.ts';

const { exchange, open } = await startOperatorPages(t, { crowd: 'still' });
const { services } = exchange.running;
const page = await open(t, { allows: [/got 425/, /\/time got 400/] });
const dialog = page.getByRole('dialog');
await show(page, 'sandbox');

t.test('the crowd of a market, named by its title, is switched off', async (t) => {
  const { conditionId } = exchange.plain;
  const { question } = JSON.parse((await exchange.operator('GET', `/markets/${conditionId}`)).text);
  const off = page.getByRole('button', { name: `Switch off: ${question}`, exact: true });
  await off.click();
  await page.getByText('The crowd is off in that market').waitFor();
  await page.getByRole('button', { name: `Switch on: ${question}`, exact: true }).waitFor();
  const { text } = await exchange.operator('GET', '/crowd');
  const markets: { market: string; mode: string }[] = JSON.parse(text).markets;
  t.strictSame(
    markets.filter(({ mode }) => mode === 'off').map(({ market }) => market),
    [conditionId],
  );
});

t.test('a fault is added, and what it hit is shown', async (t) => {
  await page.getByRole('button', { name: 'New fault' }).click();
  await enter(dialog, { Kind: 'unavailable', Path: '/markets' });
  await checkAppearance(t, page, 'sandbox-new-fault');
  await finish(page, 'Add the fault');
  await page.getByRole('cell', { name: 'path /markets' }).waitFor();
  const answer = await exchange.send('GET', '/markets');
  t.ok(answer.status >= 500, `a client met it: ${answer.status}`);
  await page.getByRole('button', { name: /^Hits of fault/ }).click();
  await dialog.getByRole('cell', { name: 'GET /markets' }).waitFor();
  t.match(await dialog.innerText(), answer.headers.get('x-request-id') ?? 'an id');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Remove fault/ }).click();
  await page.getByText('There is no fault.').waitFor();
  t.equal((await exchange.send('GET', '/markets')).status, 200);
});

t.test('the clock moves by what was entered, and says why it can not', async (t) => {
  const before = services.clock.now();
  await page.getByLabel('Move forward by').fill('2');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await page.getByText('2 hours ahead of the machine').waitFor();
  const moved = services.clock.now() - before;
  t.ok(moved >= 7_200_000 && moved < 7_300_000, `${moved} ms`);
  await page.getByLabel('Move forward by').fill('soon');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  t.match(await page.getByRole('alert').innerText(), /seconds/);
});

t.test('a checkpoint brings back what was before', async (t) => {
  const alice = await exchange.trader(1);
  await page.getByLabel('Name of a new checkpoint').fill('before <b>the</b> order');
  await page.getByRole('button', { name: 'Make a checkpoint' }).click();
  await page.getByRole('cell', { name: 'before <b>the</b> order', exact: true }).waitFor();
  await checkAppearance(t, page, 'sandbox');
  const { body } = await alice.place({ tokenId: exchange.plain.tokenIds[0], priceTicks: 1_000 });
  t.match((await alice.signed('GET', `/data/order/${body.orderID}`)).text, /LIVE/);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.getByText('Everything that happened since is lost').waitFor();
  await finish(page, 'Restore');
  await page.getByText('The exchange is back at').waitFor();
  t.notMatch((await alice.signed('GET', `/data/order/${body.orderID}`)).text, /LIVE/);
});
