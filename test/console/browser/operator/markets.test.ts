/** An operator creates, changes, pauses and resolves markets; texts of others stay texts. */
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { enter, finish, SAID, show, startOperatorPages } from './operator-fixture.ts';

const { exchange, open } = await startOperatorPages(t);
const { registry } = exchange.running.services;
const page = await open(t, { allows: [/POST .*\/events got 400/] });
const dialog = page.getByRole('dialog');
const HOSTILE = '<img src=x onerror="document.title=1"> & "quoted"';

async function change(subject: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Change: ${subject}` }).click();
  await dialog.getByRole('button', { name: action }).click();
}

/** The market that the test creates, the newest one. */
function newMarket() {
  return [...registry.markets()].at(-1);
}

t.test(
  'a new event: an empty and a refused field are marked, and what was entered stays',
  async (t) => {
    await show(page, 'markets');
    await page.getByRole('button', { name: 'New event' }).click();
    await dialog.getByRole('button', { name: 'Create the event' }).click();
    await dialog.getByText('Fill this in.').first().waitFor();
    t.ok((await dialog.locator('[aria-invalid=true]').count()) > 2, 'all of them at once');
    await dialog.getByLabel('Title').fill('Rain in June? Café');
    const [eventSlug, marketSlug] = [
      dialog.getByLabel('Slug').first(),
      dialog.getByLabel('Slug').last(),
    ];
    t.equal(await eventSlug.inputValue(), 'rain-in-june-cafe', 'a slug follows its title');
    await enter(dialog, { ...SAID, Slug: 'hostile-event', Title: HOSTILE, Question: HOSTILE });
    await marketSlug.fill('hostile-market');
    await dialog.getByText('More', { exact: true }).first().click();
    await enter(dialog, { 'Tick size': '0.01', 'Minimum order size': 'many' });
    await checkAppearance(t, page, 'operator-new-event');
    await dialog.getByRole('button', { name: 'Create the event' }).click();
    await dialog.getByRole('alert').waitFor();
    const wrong = dialog.getByLabel('Minimum order size');
    t.equal(await wrong.getAttribute('aria-invalid'), 'true', 'the nested field is marked');
    t.equal(await marketSlug.inputValue(), 'hostile-market');
    t.equal(await dialog.locator('[aria-invalid=true]').count(), 1);
    await wrong.fill('7');
    await finish(page, 'Create the event');
    await page.getByLabel('Search titles').fill('onerror');
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    t.equal(await page.locator('main img').count(), 0, 'a title is text');
    t.not(await page.title(), '1');
    t.match(newMarket(), { tickTicks: 100, minimumLots: 700 });
  },
);

t.test('terms, a pause and an edit change what was chosen and nothing else', async (t) => {
  await change(HOSTILE, 'Terms and fees');
  await enter(dialog, { ...SAID, 'Taker fee': '120', 'Fee exponent': '1' });
  await checkAppearance(t, page, 'operator-terms');
  await finish(page, 'Change the terms');
  t.match(newMarket(), { takerFeeBps: 120, feeExponent: 1, tickTicks: 100 });
  await change(HOSTILE, 'Pause or open');
  await enter(dialog, { State: 'cancel_only' });
  t.equal(await dialog.getByLabel('Your name').inputValue(), 'Grace', 'the name is remembered');
  await enter(dialog, { Reason: HOSTILE });
  await finish(page, 'Set the state');
  await page.getByRole('cell', { name: 'paused' }).waitFor();
  t.match((await exchange.operator('GET', '/actions?limit=1')).text, /"state":"cancel_only"/);
  await change(HOSTILE, 'Edit');
  await enter(dialog, { 'Short name': 'Rain', Reason: 'shorter' });
  const asked = page.waitForRequest((request) => request.method() === 'PUT');
  await finish(page, 'Save');
  await page.getByRole('cell', { name: 'Rain', exact: true }).waitFor();
  const edit = (await asked).postDataJSON();
  t.strictSame(edit, { groupItemTitle: 'Rain', by: 'Grace', reason: 'shorter' }, 'only the change');
});

t.test('a resolution is looked at twice, and pays by the chosen outcome', async (t) => {
  await change('Rain', 'Pause or open');
  await enter(dialog, { State: 'open', Reason: 'again' });
  await finish(page, 'Set the state');
  await page.getByRole('cell', { name: 'open', exact: true }).waitFor();
  await change('Rain', 'Resolve');
  await enter(dialog, { Outcome: 'other', Reason: 'the list says so' });
  await enter(dialog, { 'Another payout of Yes': '0.25' });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('each Yes token pays 0.25').waitFor();
  t.equal(newMarket()?.status, 'open', 'nothing has happened at the second look');
  await checkAppearance(t, page, 'operator-second-look');
  await dialog.getByRole('button', { name: 'Back' }).click();
  t.equal(await dialog.getByLabel('Reason').inputValue(), 'the list says so');
  await enter(dialog, { Outcome: '0' });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('each Yes token pays 0,').waitFor();
  await finish(page, 'Resolve the market');
  await page.getByRole('cell', { name: 'resolved', exact: true }).waitFor();
  t.match(newMarket(), { status: 'resolved', payoutTicks: 0 });
  await checkAppearance(t, page, 'operator-event');
});

t.test('the winner of a neg-risk event is chosen by its name', async (t) => {
  const { eventId, conditionId } = exchange.negRisk;
  await show(page, `markets/${eventId}`);
  await page.getByRole('button', { name: 'Resolve the event' }).click();
  await enter(dialog, { ...SAID, Winner: conditionId });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('Yes of every other market pays 0').waitFor();
  await finish(page, 'Resolve the event');
  await page.getByRole('cell', { name: 'resolved', exact: true }).first().waitFor();
  t.match(registry.market(conditionId), { status: 'resolved', payoutTicks: 10_000 });
});

t.test('the log has all of it as text', async (t) => {
  await show(page, 'log');
  await page.getByRole('cell', { name: HOSTILE }).first().waitFor();
  t.equal(await page.locator('main img').count(), 0);
  await checkAppearance(t, page, 'operator-log');
  await page
    .getByRole('button', { name: /Details of command/ })
    .first()
    .click();
  t.match(await dialog.locator('pre').innerText(), /"kind": "resolve_event"/);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Check the whole state' }).click();
  await page.getByText('every invariant holds').waitFor();
  await checkAppearance(t, page, 'operator-audit');
});
