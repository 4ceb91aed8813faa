// Stored plans that the engine refuses. Validation prevents them, but a start must survive one.
import t from 'tap';
import type { Command } from '../../../../engine/index.ts';
import { type Planned, planEvent } from '../../../../http/admin/markets/event-plan.ts';
import { readEvent } from '../../../../http/admin/markets/event-request.ts';
import type { Services } from '../../../../http/services/services.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { shareTestExchange, startTestExchange } from '../../exchange-fixture.ts';

function slugsOf(name: string) {
  return [`${name}-red`, `${name}-blue`];
}
function bodyOf(name: string) {
  return {
    slug: name,
    title: 'Race',
    negRisk: true,
    open: true,
    markets: slugsOf(name).map((slug) => ({ slug, question: `${slug}?` })),
  };
}

interface Defect {
  readonly name: string;
  readonly place: number;
  readonly changes: object;
}

/** The plan of a race with one changed command. */
function defectivePlan(services: Services, { name, place, changes }: Defect): Planned {
  const { record, plan } = planEvent(
    readEvent(bodyOf(name)),
    { by: 'ann', reason: 'a race', nowMs: 1_780_000_000_000 },
    services,
  );
  const commands = plan.commands.map((command, index) =>
    // Safe: the engine refuses an invalid command, which is the test.
    index === place ? ({ ...command, ...changes } as Command) : command,
  );
  return { record, plan: { ...plan, commands } };
}

t.test(
  'refused markets are removed from the catalog, and so is an event without markets',
  async (t) => {
    const rows: readonly (Defect & { readonly left: readonly string[] })[] = [
      { name: 'first', place: 0, changes: { tickTicks: 7 }, left: ['first-blue'] },
      { name: 'second', place: 1, changes: { tickTicks: 7 }, left: ['second-red'] },
      {
        name: 'opening',
        place: 2,
        changes: { noneConditionId: 'none of them' },
        left: ['opening-red', 'opening-blue'],
      },
    ];
    const settings = { temporary: false, dataDir: temporaryFolder(t) };
    const first = await startTestExchange(t, settings);
    const eventIds: string[] = [];
    for (const row of rows) {
      const { record, plan } = defectivePlan(first.running.services, row);
      await first.running.services.exchange.catalog.write.addEvent({ record, plan });
      eventIds.push(`${plan.eventId}`);
    }
    await first.running.close();
    const second = await startTestExchange(t, settings);
    const { exchange, registry } = second.running.services;
    const { catalog } = exchange;
    for (const [index, { name, place, left }] of rows.entries()) {
      const slugs = slugsOf(name);
      const found = await Promise.all(
        slugs.map((slug) => catalog.read.market({ market: { slug } })),
      );
      const isLeft = slugs.filter((_, at) => found[at] !== undefined);
      t.strictSame(isLeft, left, `command ${place}`);
      t.equal(registry.marketsOfEvent(eventIds[index] ?? '').length, 0, 'no market was opened');
    }
    t.strictSame(catalog.lookup.unfinishedPlans(), []);
  },
);

const share = await shareTestExchange(t);

t.test('an event is removed with its last market', async (t) => {
  const { running } = share();
  const { catalog } = running.services.exchange;
  const { record, plan } = defectivePlan(running.services, { name: 'race', place: 2, changes: {} });
  await catalog.write.addEvent({ record, plan });
  t.ok(catalog.lookup.event(plan.eventId));
  const ids = plan.commands.flatMap((command) =>
    command.kind === 'create_market' ? [command.conditionId] : [],
  );
  await catalog.write.withdraw({ plan, conditionIds: ids.slice(1) });
  t.ok(catalog.lookup.event(plan.eventId), 'one market is left');
  await catalog.write.withdraw({ plan, conditionIds: ids });
  t.equal(catalog.lookup.event(plan.eventId), undefined);
  t.equal(catalog.lookup.plan(plan.name), undefined);
});
