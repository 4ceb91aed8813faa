/**
 * Opens imported markets in the engine: single ones on the operator's request, or all of them if
 * the setting says so.
 *
 * Invariant: a market that the engine refuses does not stop the others. A market that trades is
 * marked in the catalog, so that the engine alone decides whether it is open. Bound: as many
 * commands at once as fit into the store's queue.
 */
import {
  logWithheld,
  type OpeningPace,
  type OpeningUsers,
  openMissing,
} from './market-commands.ts';

const PACE: OpeningPace = {
  atOnce: 1_000,
  evidence: { by: 'settings', reason: 'imported markets are traded: --trade-imported' },
};
const REFUSALS_LOGGED = 10;

/** Marks imported markets that trade. A crash may have come between their opening and the mark. */
export async function markTraded({ exchange, registry }: OpeningUsers): Promise<void> {
  const { lookup, write } = exchange.catalog;
  const conditionIds = lookup
    .importedTradable()
    .map(({ conditionId }) => conditionId)
    .filter((conditionId) => registry.market(conditionId) !== undefined);
  if (conditionIds.length > 0) await write.markTraded({ conditionIds });
}

/**
 * Opens all imported markets that can be traded, except in neg-risk events that are open, or that
 * could not be opened.
 */
export async function openImported(users: OpeningUsers): Promise<void> {
  const { exchange, log } = users;
  const markets = exchange.catalog.lookup.importedTradable();
  const { count, refused, withheld } = await openMissing(markets, users, PACE);
  logWithheld(withheld, log);
  if (count > 0) {
    const opened = count - refused.length;
    log.info({ opened, refused: refused.length }, 'opened imported markets');
  }
  const withFees = markets.filter(({ sourceFees }) => sourceFees !== null).length;
  if (withFees > 0) {
    log.warn(
      { markets: withFees },
      'imported markets charge no fees here, though their source does',
    );
  }
  if (refused.length > 0) {
    const first = refused
      .slice(0, REFUSALS_LOGGED)
      .map(({ command, rejected }) => `${command.conditionId}: ${rejected.code}`);
    log.warn({ first }, 'the engine refused imported markets');
  }
  await markTraded(users);
}
