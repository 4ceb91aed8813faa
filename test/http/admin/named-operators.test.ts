// Operators with a token each: what their roles permit, and who an action says asked for it.
import t from 'tap';
import { OPERATOR_ROUTES } from '../../all-routes.ts';
import { sendTo, shareTestExchange } from '../exchange-fixture.ts';
import { namedOperator, tokenOf } from './named-operator.ts';

const share = await shareTestExchange(t, {
  funding: 'ledger',
  operators: {
    operators: [
      namedOperator('Ada', 'admin'),
      namedOperator('Mary', 'markets'),
      namedOperator('prometheus', 'metrics'),
    ],
    resolutionsNeedTwo: false,
  },
});

function ask(name: string, method: string, path: string, body?: object) {
  return sendTo(`http://127.0.0.1:${share().running.adminPort}`, method, path, {
    headers: { authorization: `Bearer ${tokenOf(name)}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

t.test('a role permits its routes and no others', async (t) => {
  const state = { state: 'open', reason: 'to see' };
  t.equal((await ask('Mary', 'POST', '/exchange/state', state)).status, 200);
  t.equal((await ask('Mary', 'GET', '/audit')).status, 200);
  t.equal((await ask('prometheus', 'GET', '/openapi.json')).status, 200);
  const refusals = [
    await ask('prometheus', 'GET', '/audit'),
    await ask('prometheus', 'POST', '/exchange/state', state),
    await ask('Mary', 'POST', '/deposits', { account: '', amount: '1', key: 'k', reason: 'mine' }),
  ];
  for (const { status, body } of refusals) {
    t.match([status, body.code], [403, 'operator_role_missing'], body.error);
  }
  t.match(refusals[2]?.body, { limit: 'money', actual: 'markets' });
});

t.test('every write of the operator has a role that is not a reader', async (t) => {
  for (const { method, path, auth, role } of OPERATOR_ROUTES) {
    if (auth === 'none') continue;
    const isRead = role === 'reader' || role === 'metrics';
    t.equal(isRead, method === 'GET', `${method} ${path}: ${role}`);
  }
});

t.test('an action says the name of the token that asked for it', async (t) => {
  const act = (name: string, by?: string) =>
    ask(name, 'POST', '/exchange/state', { state: 'halted', reason: 'to see', ...(by && { by }) });
  t.match((await act('Mary', 'Ada')).body, {
    code: 'invalid_payload',
    limit: 'Mary',
    actual: 'Ada',
  });
  t.equal((await act('Mary')).status, 200);
  t.equal(
    (await ask('Ada', 'POST', '/exchange/state', { state: 'open', by: 'Ada', reason: 'on' }))
      .status,
    200,
  );
  const actions = await ask('Mary', 'GET', '/actions?kind=set_trading_state&limit=2');
  t.match(actions.body.data, [
    { by: 'Ada', reason: 'on' },
    { by: 'Mary', reason: 'to see' },
  ]);
});

t.test('operators see who they are, and no hash', async (t) => {
  const { text, body } = await ask('Mary', 'GET', '/operators');
  t.match(body, {
    you: 'Mary',
    data: [
      { name: 'Ada', roles: ['admin'], tokens: 1 },
      { name: 'Mary', roles: ['markets'] },
      { name: 'prometheus', roles: ['metrics'] },
    ],
  });
  t.notMatch(text, namedOperator('Mary').digests[0]?.toString('hex') ?? '');
});
