/** The sync of a running exchange: copies the catalog that the settings name, if any. */
import type { PlotPart, Services } from '../../http/services/index.ts';
import type { DisposableStack } from '../../persistence/index.ts';
import { openImported } from '../routes/index.ts';
import { DEFAULT_PACE, SYNC_USER_AGENT } from './bounds.ts';
import { SyncHost } from './host.ts';

export const SYNC: PlotPart = { begin: () => ({ join: () => ({ lead: startSync }) }) };

function startSync(
  { settings, exchange, registry, log }: Services,
  closers: DisposableStack,
): void {
  const { syncFrom, syncMs: everyMs, tradesImported } = settings;
  if (syncFrom === undefined) return;
  const sync = new SyncHost({
    data: { url: syncFrom, userAgent: SYNC_USER_AGENT, pace: DEFAULT_PACE, everyMs },
    catalog: exchange.catalog,
    log,
    onRan: async () => {
      if (tradesImported) await openImported({ exchange, registry, log });
    },
  });
  sync.start();
  closers.defer(() => sync.stop());
}
