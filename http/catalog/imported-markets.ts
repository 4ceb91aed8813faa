/**
 * Markets that an import or a sync brought: they trade by the operator's word, or all of them where
 * the setting says so.
 *
 * Invariant: what the engine refuses of them keeps nothing else from trading; a market that trades
 * is noted in the catalog, whose word then counts no more on whether it is open. Bound: as many
 * commands at once as the store's queue has room for.
 */
import type { Exchange } from '../../persistence/index.ts';
import type { Logger } from '../runtime/index.ts';
import type { Registry } from '../views/index.ts';
import { createCommandOf } from './market-commands.ts';

export interface ImportedUsers {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly log: Logger;
}

const COMMANDS_AT_ONCE = 1_000;
const EVIDENCE = { by: 'settings', reason: 'what was imported is traded: --trade-imported' };
const REFUSALS_LOGGED = 10;

/** Those that trade already, by whichever word: what a stop cut off is made good. */
export async function noteTraded({ exchange, registry }: ImportedUsers): Promise<void> {
  const { lookup, write } = exchange.catalog;
  const conditionIds = lookup
    .importedTradable()
    .map(({ conditionId }) => conditionId)
    .filter((conditionId) => registry.market(conditionId) !== undefined);
  if (conditionIds.length > 0) await write.markTraded({ conditionIds });
}

/** Opens all that can be traded, but for those of opened neg-risk events. */
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
      const rejected = events.find((event) => event.kind === 'rejected');
      if (rejected !== undefined) refused.push(`${part[index]?.conditionId}: ${rejected.code}`);
    });
  }
  if (markets.length > 0) {
    const opened = markets.length - refused.length;
    log.info({ opened, refused: refused.length }, 'imported markets were opened');
  }
  if (refused.length > 0) {
    log.warn({ first: refused.slice(0, REFUSALS_LOGGED) }, 'imported markets can not be traded');
  }
  await noteTraded(users);
}
