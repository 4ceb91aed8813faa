// Resolutions that need two operators.
import t from 'tap';
import { sendTo, shareTestExchange } from '../../exchange-fixture.ts';
import { namedOperator, tokenOf } from '../named-operator.ts';

const share = await shareTestExchange(t, {
  operators: {
    operators: [namedOperator('Ada', 'admin'), namedOperator('Mary', 'markets')],
    resolutionsNeedTwo: true,
  },
});

function ask(name: string, method: string, path: string, body?: object) {
  return sendTo(`http://127.0.0.1:${share().running.adminPort}`, method, path, {
    headers: { authorization: `Bearer ${tokenOf(name)}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

t.test('a market resolves when a second operator sends the same request', async (t) => {
  const { plain, running } = share();
  const { conditionId: market } = plain;
  const resolve = async (name: string, payout: string, reason = `${name} saw it`) =>
    (await ask(name, 'POST', `/markets/${market}/resolve`, { payout, reason })).body;
  const statusNow = () => running.services.registry.market(market)?.status;
  const waits = { market, status: 'awaiting_approval', duplicate: false };
  t.match(await resolve('Ada', '1'), { ...waits, payout: '1' });
  t.match(await resolve('Ada', '1'), waits, 'one operator twice is not two');
  t.match(await resolve('Mary', '0'), { ...waits, payout: '0' }, 'another payout');
  t.equal(statusNow(), 'open', 'nothing has happened yet');
  t.match((await ask('Ada', 'GET', '/approvals')).body, {
    data: [
      { kind: 'resolve_market', by: 'Ada', command: { conditionId: market, payoutTicks: 10_000 } },
      { kind: 'resolve_market', by: 'Mary', command: { payoutTicks: 0 } },
    ],
  });
  t.match(await resolve('Mary', '1.0'), { market, payout: '1', status: 'resolved' });
  t.equal(statusNow(), 'resolved');
  // History: the request for another payout was listed for a day after the market had resolved.
  t.strictSame((await ask('Ada', 'GET', '/approvals')).body.data, []);
  t.match((await ask('Ada', 'GET', '/actions?kind=resolve_market')).body, {
    data: [{ by: 'Ada', reason: 'Ada saw it', approval: { by: 'Mary', reason: 'Mary saw it' } }],
  });
  t.match(await resolve('Ada', '1'), { status: 'resolved', duplicate: true }, 'it is done');
  t.match(await resolve('Ada', '0'), { code: 'market_resolved' }, 'it can not be changed');
});

t.test('an event resolves when a second operator names the same winner', async (t) => {
  const { negRisk, running } = share();
  const { conditionId: winner, eventId } = negRisk;
  t.equal((await ask('Mary', 'POST', `/events/${eventId}/open`, { reason: 'ready' })).status, 200);
  const resolve = (name: string) =>
    ask(name, 'POST', `/events/${eventId}/resolve`, { winner, reason: 'it won' });
  t.match((await resolve('Mary')).body, { winner, status: 'awaiting_approval' });
  t.equal(running.services.registry.market(winner)?.status, 'open');
  t.match((await resolve('Ada')).body, { winner, status: 'resolved', duplicate: false });
  t.equal(running.services.registry.market(winner)?.status, 'resolved');
});
