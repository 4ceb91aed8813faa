import t from 'tap';
import { shareTestExchange } from '../../exchange-fixture.ts';

const BOB = `0x${'b0'.repeat(20)}`;
const NOBODY = `0x${'0b'.repeat(20)}`;

const share = await shareTestExchange(t, { funding: 'ledger' });

t.test('the operator sees the owner and the cash of an account', async (t) => {
  const { trader, operator, plain } = share();
  const alice = await trader(1);
  const { address } = alice;
  const read = async (account = address) => (await operator('GET', `/accounts/${account}`)).body;
  const shared = { address, owner: address, wallet: 'eoa' };
  t.strictSame(await read(), { ...shared, balance: '0', available: '0', held: '0' });
  await operator('POST', '/deposits', { account: address, amount: '12.5', key: 'a' });
  await alice.place({ tokenId: plain.tokenIds[0], priceTicks: 2100, lots: 1001 });
  const cash = { balance: '12.5', available: '10.3979', held: '2.1021' };
  t.strictSame(await read(), { ...shared, ...cash });
  await operator('POST', '/accounts', { address: BOB, owner: address, wallet: 'deposit' });
  t.match(await read(BOB), { address: BOB, owner: address, wallet: 'deposit', balance: '0' });
});

t.test('an unknown account is not found', async (t) => {
  const { operator } = share();
  const rows: [account: string, code: string][] = [
    ['0x12', 'address_malformed'],
    [NOBODY, 'account_unknown'],
  ];
  for (const [account, code] of rows) {
    const { status, body } = await operator('GET', `/accounts/${account}`);
    t.match([status, body], [400, { code, field: 'address', actual: account }]);
  }
});
