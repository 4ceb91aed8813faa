/**
 * Carries out what the operator planned: the commands of a plan that the catalog holds.
 *
 * Invariant: a plan's words are on the disk before its first command is submitted, and it is done
 * once the last is durable. So whatever is cut off is finished by the next start, or by the same
 * request; what the engine knows already is left alone. An event is opened when all its markets are
 * there, and not before.
 */
import type { Command, Rejected } from '../../../engine/index.ts';
import type { CatalogPlan, Exchange } from '../../../persistence/index.ts';
import type { Logger } from '../../api/index.ts';

/** What the engine refused, and which of the plan's commands that was. */
export interface RefusedCommand {
  readonly rejected: Rejected;
  readonly command: Command;
}

/** Submits commands in one synchronous run; those that were refused. */
export async function submitAll(
  exchange: Exchange,
  commands: readonly Command[],
  evidence: unknown,
): Promise<RefusedCommand[]> {
  const answers = await Promise.all(commands.map((command) => exchange.submit(command, evidence)));
  return answers.flatMap(({ events }, index) => {
    const rejected = events.find((event) => event.kind === 'rejected');
    const command = commands[index];
    return rejected === undefined || command === undefined ? [] : [{ rejected, command }];
  });
}

/**
 * Resolves when all of the plan is durable; with the first refusal if there is one. Markets that
 * were refused leave the catalog again, and the plan with them.
 */
export async function carryOut(
  exchange: Exchange,
  plan: CatalogPlan,
): Promise<RefusedCommand | undefined> {
  const { write } = exchange.catalog;
  const creates = plan.commands.filter(({ kind }) => kind === 'create_market');
  const others = plan.commands.filter(({ kind }) => kind !== 'create_market');
  const refused = await submitAll(exchange, creates, plan.evidence);
  if (refused.length > 0) {
    const ids = refused.flatMap(({ command }) =>
      command.kind === 'create_market' ? [command.conditionId] : [],
    );
    await write.withdraw({ plan, conditionIds: ids });
    return refused[0];
  }
  const [unopened] = await submitAll(exchange, others, plan.evidence);
  await write.finishPlan({ name: plan.name });
  return unopened;
}

/** Finishes what the last run of the program was in the middle of. */
export async function carryOutUndone(exchange: Exchange, log: Logger): Promise<void> {
  for (const plan of exchange.catalog.look.undonePlans()) {
    const refused = await carryOut(exchange, plan);
    const { name } = plan;
    if (refused === undefined) log.info({ plan: name }, 'finished what a stop had cut off');
    else log.warn({ plan: name, rejected: refused.rejected }, 'a plan of the operator is refused');
  }
}
