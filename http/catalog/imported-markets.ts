/**
 * Opens imported markets in the engine: single ones on the operator's request, or all of them if
 * the setting says so.
 *
 * Invariant: a market that the engine refuses keeps no other from trading; a market that trades is
 * marked in the catalog, so that the engine alone decides whether it is open. Bound: as many
 * commands at once as fit into the store's queue.
 */
import type { Exchange } from '../../persistence/index.ts';
import { rejectIn } from '../errors/index.ts';
import type { Logger } from '../runtime/index.ts';
import type { Registry } from '../views/index.ts';
import { createCommandOf } from './market-commands.ts';

export interface ImportedUsers {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly log: Logger;
}

const COMMANDS_AT_ONCE = 1_000;
const EVIDENCE = { by: 'settings', reason: 'imported markets are traded: --trade-imported' };
const REFUSALS_LOGGED = 10;

/** Marks imported markets that trade already, which a crash may have prevented. */
export async function markTraded({ exchange, registry }: ImportedUsers): Promise<void> {
  const { lookup, write } = exchange.catalog;
  const conditionIds = lookup
    .importedTradable()
    .map(({ conditionId }) => conditionId)
    .filter((conditionId) => registry.market(conditionId) !== undefined);
  if (conditionIds.length > 0) await write.markTraded({ conditionIds });
}

/** Opens all markets that can be traded, except further ones of neg-risk events that are open. */
export async function openImported(users: ImportedUsers): Promise<void> {
  const { exchange, registry, log } = users;
  const markets = exchange.catalog.lookup
    .importedTradable()
    .filter(({ conditionId }) => registry.market(conditionId) === undefined)
    .filter(({ eventId }) => registry.marketsOfEvent(eventId).length === 0);
  const refused: string[] = [];
  for (let start = 0; start < markets.length; start += COMMANDS_AT_ONCE) {
    const part = markets.slice(start, start + COMMANDS_AT_ONCE);
    const answers = await Promise.all(
      part.map((market) => exchange.submit(createCommandOf(market), EVIDENCE)),
    );
    answers.forEach(({ events }, index) => {
      const rejected = rejectIn(events);
      if (rejected !== undefined) refused.push(`${part[index]?.conditionId}: ${rejected.code}`);
    });
  }
  if (markets.length > 0) {
    const opened = markets.length - refused.length;
    log.info({ opened, refused: refused.length }, 'opened imported markets');
  }
  if (refused.length > 0) {
    log.warn({ first: refused.slice(0, REFUSALS_LOGGED) }, 'the engine refused imported markets');
  }
  await markTraded(users);
}
