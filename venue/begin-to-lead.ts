/**
 * What only the process does that gives commands their order: an exchange of its own from its
 * start, and a node of a cluster from the moment at which it is the core.
 */

import { createCatalogMarkets, markTraded, openImported } from '../catalog/routes/index.ts';
import { finishPlans } from '../http/admin/markets/index.ts';
import { toApiError } from '../http/errors/index.ts';
import type { ExchangeClock } from '../http/runtime/clock.ts';
import type { Logger } from '../http/runtime/log.ts';
import type { Services } from '../http/services/index.ts';
import type { DisposableStack, Exchange } from '../persistence/index.ts';
import type { CoreParts, StartOptions } from './core-parts.ts';

/** What `Leadership` begins. */
export async function beginToLead(
  parts: CoreParts,
  options: StartOptions,
  { services, closers }: { readonly services: Services; readonly closers: DisposableStack },
): Promise<void> {
  const { clock, log } = parts;
  const { exchange } = services;
  clock.watch(exchange);
  closers.defer(async () => clock.stop());
  recallPause(clock, exchange, log);
  await createMarkets(parts, exchange, options);
  for (const share of parts.shares) await share.lead?.(services, closers);
}

/** Not awaited: while `analytics.db` is rebuilt, the answer may take long. */
function recallPause(clock: ExchangeClock, { reader }: Exchange, log: Logger): void {
  clock.recallPause(reader).catch((error: unknown) => {
    if (toApiError(error) === undefined) throw error;
    log.warn({ err: error }, 'it is not known whether the clock paused the exchange before');
  });
}

/**
 * Finishes the plans that a stop of this gateway interrupted. Not awaited: without a core the next
 * core does it, or a repeated request. A plan that another gateway is carrying out is no harm: the
 * engine ignores the commands that it knows.
 */
export function finishOwnPlans({ exchange, log }: Services): void {
  finishPlans(exchange, log).catch((error: unknown) => {
    if (toApiError(error) === undefined) throw error;
    log.warn({ err: error }, 'interrupted plans could not be finished; the next core does it');
  });
}

/** Loads the catalog if the folder has none. Creates the markets of open plans and the catalog. */
async function createMarkets(
  { settings, registry, log }: CoreParts,
  exchange: Exchange,
  { catalog, catalogRecords = [] }: StartOptions,
): Promise<void> {
  log.info(exchange.recovered, 'recovered');
  const { lookup, write, isFounded } = exchange.catalog;
  // A node that takes over has the catalog of the first core, also if that has no market.
  if (!isFounded && lookup.marketCount() === 0) {
    await write.importEvents(catalog);
    for (const batch of catalogRecords) await write.putRecords(batch);
  }
  await exchange.catalog.found();
  await finishPlans(exchange, log);
  const target = { exchange, registry, log };
  await createCatalogMarkets(target);
  await (settings.tradesImported ? openImported(target) : markTraded(target));
}
