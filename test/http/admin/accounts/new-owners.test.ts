// An exchange whose operator admits each owner.
import t from 'tap';
import { startTestExchange } from '../../exchange-fixture.ts';

t.test('an owner gets a first key when the operator has opened an account for it', async (t) => {
  const { trader, operator, running } = await startTestExchange(t, { newOwners: 'operator' });
  const alice = await trader(1);
  const before = running.services.registry.counts;
  const refused = await alice.login();
  t.match([refused.status, refused.body], [403, { code: 'owner_not_admitted', field: 'address' }]);
  t.same(running.services.registry.counts, before, 'nothing was opened or issued');
  const { address } = alice;
  await operator('POST', '/accounts', { address, owner: address, wallet: 'eoa' });
  t.equal((await alice.login()).status, 200);
  t.equal((await alice.login('7')).status, 200, 'and further keys');
  const bob = await trader(2);
  t.equal((await bob.login()).status, 403, 'others are not admitted');
});
