// What becomes of a plan that the engine refuses after its words were stored: nothing that is
// judged beforehand gets so far, but a start must get over it all the same.
import t from 'tap';
import type { Command } from '../../../engine/index.ts';
import { eventAsked } from '../../../http/admin/event-input.ts';
import { type Planned, planEvent } from '../../../http/admin/event-plan.ts';
import type { Services } from '../../../http/services.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startTestExchange } from '../exchange-fixture.ts';

const BODY = {
  slug: 'race',
  title: 'Race',
  negRisk: true,
  open: true,
  markets: ['red', 'blue'].map((slug) => ({ slug, question: `${slug}?` })),
};

/** The plan of the body, with one of its commands turned into something else. */
const spoiled = (services: Services, place: number, changes: object): Planned => {
  const { record, plan } = planEvent(
    eventAsked(BODY),
    { by: 'ann', reason: 'a race', nowMs: 1_780_000_000_000 },
    services,
  );
  const commands = plan.commands.map((command, index) =>
    // Safe: what fits no command is refused, and that is what is tested.
    index === place ? ({ ...command, ...changes } as Command) : command,
  );
  return { record, plan: { ...plan, commands } };
};

t.test('markets that are refused leave the catalog, and an event with them', async (t) => {
  const rows: [place: number, changes: object, left: string[], opened: number][] = [
    [0, { tickTicks: 7 }, ['blue'], 0],
    [1, { tickTicks: 7 }, ['red'], 0],
    [2, { noneConditionId: 'none of them' }, ['red', 'blue'], 0],
  ];
  for (const [place, changes, left, opened] of rows) {
    const dataDir = temporaryFolder(t);
    const settings = { temporary: false, dataDir };
    const first = await startTestExchange(t, settings);
    const { record, plan } = spoiled(first.running.services, place, changes);
    await first.running.services.exchange.catalog.write.addEvent({ record, plan });
    await first.running.close();
    const second = await startTestExchange(t, settings);
    const { exchange, registry } = second.running.services;
    const { catalog } = exchange;
    const found = await Promise.all(
      ['red', 'blue'].map((slug) => catalog.read.market({ market: { slug } })),
    );
    const isLeft = ['red', 'blue'].filter((_, index) => found[index] !== undefined);
    t.strictSame(isLeft, left, `command ${place}`);
    t.equal(registry.marketsOfEvent(`${plan.eventId}`).length, opened);
    t.strictSame(catalog.look.undonePlans(), []);
    await second.running.close();
  }
});

t.test('an event of which every market is refused is gone', async (t) => {
  const { running } = await startTestExchange(t);
  const { catalog } = running.services.exchange;
  const { record, plan } = spoiled(running.services, 2, {});
  await catalog.write.addEvent({ record, plan });
  t.ok(catalog.look.event(plan.eventId));
  const ids = plan.commands.flatMap((command) =>
    command.kind === 'create_market' ? [command.conditionId] : [],
  );
  await catalog.write.withdraw({ plan, conditionIds: ids.slice(1) });
  t.ok(catalog.look.event(plan.eventId), 'it has a market yet');
  await catalog.write.withdraw({ plan, conditionIds: ids });
  t.equal(catalog.look.event(plan.eventId), undefined);
  t.equal(catalog.look.plan(plan.name), undefined);
});
