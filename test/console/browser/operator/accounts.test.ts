/** Money, standings, content, backups and the health of the exchange in the operator's pages. */
import t from 'tap';
import { checkAppearance } from '../../../browser/appearance.ts';
import { enter, finish, SAID, show, startOperatorPages } from './operator-fixture.ts';

const { exchange, open } = await startOperatorPages(t);
const page = await open(t, { allows: [/\/withdrawals got 4/] });
const dialog = page.getByRole('dialog');
const alice = await exchange.trader(1);
const address = alice.address.toLowerCase();

async function cash(): Promise<unknown> {
  return JSON.parse((await exchange.operator('GET', `/accounts/${address}`)).text);
}

t.test('a deposit and a withdrawal move exactly what was entered', async (t) => {
  await show(page, 'accounts');
  await page.getByLabel('Search').fill(address.slice(0, 12));
  await page.getByRole('region', { name: 'Accounts' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  const before = await cash();
  t.match(before, { balance: '10000' });
  await page.getByRole('button', { name: 'Deposit' }).click();
  await enter(dialog, { ...SAID, Amount: '0.000001' });
  await checkAppearance(t, page, 'operator-deposit');
  await finish(page, 'Deposit');
  await page.getByText('10,000.000001').first().waitFor();
  t.match(await cash(), { balance: '10000.000001' });
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await enter(dialog, { Amount: '999999', Reason: 'too much' });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('alert').waitFor();
  t.equal(await dialog.getByLabel('Amount').inputValue(), '999999', 'it can be corrected');
  await enter(dialog, { Amount: '250.5' });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('250.5 units leave the exchange').waitFor();
  await finish(page, 'Withdraw');
  await page.getByText('9,749.500001').first().waitFor();
  t.match(await cash(), { balance: '9749.500001' });
});

t.test('orders are canceled after a second look, until none is left', async (t) => {
  const route = `**/owners/${address}/orders`;
  const starts: unknown[] = [];
  await page.route(route, (call) => {
    starts.push(call.request().postDataJSON().after);
    const next_after = starts.length === 1 ? '0x01' : null;
    return call.fulfill({ json: { canceled: [], next_after } });
  });
  await page.getByRole('button', { name: 'Cancel orders' }).click();
  await enter(dialog, { Reason: 'it asked for it' });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText('All open orders of the owner end.').waitFor();
  t.strictSame(starts, []);
  await finish(page, 'Cancel the orders');
  t.strictSame(starts, [undefined, '0x01']);
  await page.unroute(route);
});

t.test('a ban cancels the orders of the owner, and lifts again', async (t) => {
  const { body } = await alice.place({ tokenId: exchange.plain.tokenIds[0], priceTicks: 1_000 });
  await show(page, 'accounts');
  await show(page, `accounts/${address}`);
  await page.getByRole('cell', { name: 'BUY Yes' }).waitFor();
  await checkAppearance(t, page, 'operator-account');
  await page.getByRole('button', { name: 'Change the standing' }).click();
  await enter(dialog, { Standing: 'banned', Reason: 'it cheated' });
  await finish(page, 'Set the standing');
  await page.getByText('The owner has no open order.').waitFor();
  t.match((await alice.signed('GET', `/data/order/${body.orderID}`)).text, /CANCELED/i);
  await show(page, 'accounts');
  await page.getByRole('tab', { name: 'Restricted owners' }).click();
  await page.getByRole('cell', { name: 'banned' }).waitFor();
  await page.getByRole('tab', { name: 'Money' }).click();
  await page.getByRole('cell', { name: '0.000001' }).waitFor();
  await checkAppearance(t, page, 'operator-money');
  await page.getByText('Withdrawals', { exact: true }).click();
  await page.getByRole('cell', { name: '250.5' }).waitFor();
});

t.test('a backup and a snapshot are made while the exchange trades, and listed', async (t) => {
  await show(page, 'backups');
  await page.getByText('There is no backup yet.').waitFor();
  await page.getByRole('button', { name: 'Make a backup' }).click();
  const name = /^backup-.*\.tar$/;
  await page.getByRole('cell', { name }).waitFor();
  await page.getByRole('button', { name: 'Make a snapshot' }).click();
  await page.getByText('The snapshot up to command').waitFor();
  await page
    .getByRole('region', { name: 'Snapshots on the disk' })
    .getByRole('cell')
    .first()
    .waitFor();
  await checkAppearance(t, page, 'operator-backups');
  const { body } = await exchange.operator('GET', '/backups');
  t.equal(body.data.length, 1);
  await page.getByRole('button', { name: /^Remove: backup/ }).click();
  await finish(page, 'Remove the backup');
  await page.getByText('There is no backup yet.').waitFor();
  t.equal((await exchange.operator('GET', '/backups')).body.data.length, 0);
});

t.test('a reported comment is hidden as text, and new tags are made', async (t) => {
  const [ada, bob] = [await exchange.trader(3), await exchange.trader(2)];
  const body = '<b>bold</b> spam';
  const [{ id: event }] = JSON.parse((await exchange.operator('GET', '/events?limit=1')).text);
  const comment = { body, parent_entity_type: 'Event', parent_entity_id: Number(event) };
  const { id } = JSON.parse((await ada.signed('POST', '/comments', comment)).text);
  await bob.signed('POST', `/comments/${id}/reports`, { reason: 'spam' });
  await show(page, 'content');
  await page.getByRole('cell', { name: body }).waitFor();
  await page.getByRole('button', { name: `Change: comment ${id}` }).click();
  await dialog.getByRole('button', { name: 'Hide' }).click();
  await enter(dialog, { Reason: 'it is spam' });
  await finish(page, 'Hide it');
  await page.getByText('hidden', { exact: true }).waitFor();
  const { text } = await exchange.operator('GET', '/comments/reported');
  t.match(JSON.parse(text), [{ id, hidden: true }]);
  await page.getByRole('tab', { name: 'Tags, series, creators' }).click();
  await page.getByRole('button', { name: 'New tag' }).click();
  await enter(dialog, { Slug: 'rowing', Label: 'Rowing', Reason: 'a new sport' });
  await finish(page, 'Create it');
  t.match((await exchange.operator('GET', '/tags/slug/rowing')).body, { label: 'Rowing' });
  await checkAppearance(t, page, 'operator-content');
});

t.test('the health page counts what happened', async (t) => {
  await show(page, 'health');
  const figureOf = async (name: string): Promise<string> => {
    const card = page.locator('.gauges li').filter({ hasText: name });
    return card.locator('strong').innerText();
  };
  await page.getByText('no broken invariant').waitFor();
  t.equal(await figureOf('live orders'), '0');
  const bob = await exchange.trader(2);
  await bob.place({ tokenId: exchange.plain.tokenIds[0], priceTicks: 1_000 });
  await page
    .locator('.gauges li')
    .filter({ hasText: 'live orders' })
    .locator('strong')
    .getByText('1', { exact: true })
    .waitFor();
  t.match(await figureOf('free on the disk'), /^[\d.]+ [kMGT]?B$/);
  t.match(await page.getByRole('region', { name: 'Refusals by route' }).innerText(), /withdrawals/);
  await checkAppearance(t, page, 'operator-health');
});

t.test(
  'deposits of a list are made once, by whom and why, and invitations are links',
  async (t) => {
    await show(page, 'accounts');
    await page.getByRole('tab', { name: 'Many deposits' }).click();
    const list = page.getByLabel('Deposits: on each line');
    const button = page.getByRole('button', { name: 'Make the deposits' });
    await list.fill(`${address}, 1\n${address} 2`);
    await page.getByText(`This line has no account and amount: ${address} 2`).waitFor();
    t.ok(await button.isDisabled());
    const before = JSON.parse(
      (await exchange.operator('GET', `/accounts/${address}`)).text,
    ).balance;
    await list.fill(`${address}, 1\n\n${address};2.5\n`);
    await enter(page.getByRole('main'), SAID);
    await button.click();
    await page.getByText('2 of 2 deposits are made.').waitFor();
    t.match(await cash(), { balance: `${Number(before) + 3.5}` });
    const { text } = await exchange.operator('GET', '/actions?kind=deposit&limit=2');
    const said = { by: SAID['Your name'], reason: SAID.Reason };
    t.match(JSON.parse(text).data, [said, said]);
    await checkAppearance(t, page, 'operator-many-deposits');
    await page.getByRole('tab', { name: 'Invitations' }).click();
    await page.getByRole('textbox', { name: 'Invitations' }).fill('3');
    await page.getByRole('button', { name: 'Make invitations' }).click();
    const links = page.getByText('/ui/#/join/', { exact: false });
    await links.first().waitFor();
    const shown = (await links.first().textContent()) ?? '';
    t.equal(shown.match(/http:\/\/127\.0\.0\.1:\d+\/ui\/#\/join\/[\w-]{48}/g)?.length, 3);
    await checkAppearance(t, page, 'operator-invitations');
  },
);
