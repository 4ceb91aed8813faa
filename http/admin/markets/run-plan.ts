/**
 * Runs the plans of new events and markets. A plan is the list of commands that the catalog stores
 * with the event or market.
 *
 * Invariant: a plan is durable before its first command is submitted, and it is marked finished
 * after its last command is durable. A plan that a stop interrupted is finished by the next start
 * or by a repeated request; the engine ignores the commands that it knows. An event is opened only
 * after all its markets exist.
 */

import { partsOf, type RefusedCommand, submitAll } from '../../../catalog/routes/index.ts';
import type { CatalogPlan, Exchange } from '../../../persistence/index.ts';
import type { Logger } from '../../runtime/log.ts';

/** Markets that are created in one turn of the event loop: some 2 ms, with their delivery. */
export const COMMANDS_AT_ONCE = 64;

/**
 * Resolves when the whole plan is durable, with the first refused command if there is one. Refused
 * markets are removed from the catalog, and the plan with them.
 */
export async function runPlan(
  exchange: Exchange,
  plan: CatalogPlan,
): Promise<RefusedCommand | undefined> {
  const { write } = exchange.catalog;
  const creates = plan.commands.filter(({ kind }) => kind === 'create_market');
  const others = plan.commands.filter(({ kind }) => kind !== 'create_market');
  const refused: RefusedCommand[] = [];
  for (const part of partsOf(creates, COMMANDS_AT_ONCE)) {
    refused.push(...(await submitAll(exchange, part, plan.evidence)));
  }
  if (refused.length > 0) {
    const ids = refused.flatMap(({ command }) =>
      command.kind === 'create_market' ? [command.conditionId] : [],
    );
    await write.withdraw({ plan, conditionIds: ids });
    return refused[0];
  }
  const [refusedLater] = await submitAll(exchange, others, plan.evidence);
  await write.finishPlan({ name: plan.name });
  return refusedLater;
}

/** Finishes the plans that the last stop interrupted. */
export async function finishPlans(exchange: Exchange, log: Logger): Promise<void> {
  for (const plan of exchange.catalog.lookup.unfinishedPlans()) {
    const refused = await runPlan(exchange, plan);
    const { name } = plan;
    if (refused === undefined)
      log.info({ plan: name }, 'finished a plan that a stop had interrupted');
    else
      log.warn(
        { plan: name, rejected: refused.rejected },
        'a command of an interrupted plan is refused',
      );
  }
}
