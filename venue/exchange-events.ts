/**
 * Passes the events of the store to the views, the metrics and the log.
 *
 * Invariant: the views are fed before anything is published or answered.
 */
import { InvariantError } from '../engine/model/index.ts';
import { runsPublicApi } from '../http/settings/cluster.ts';
import type { ExchangeEvent } from '../persistence/index.ts';
import type { CoreParts, StartOptions } from './core-parts.ts';

export function handleEvent(
  event: ExchangeEvent,
  parts: CoreParts,
  onFatal: StartOptions['onFatal'],
): void {
  const { metrics, clock, log } = parts;
  switch (event.kind) {
    case 'clock_moved':
      clock.setOffset(event.offsetMs);
      log.info({ offsetMs: event.offsetMs }, 'the sandbox moved the clock of this data folder');
      return;
    case 'sealed':
    case 'restored':
    case 'durable':
      feedViews(event, parts);
      return;
    case 'catalog_behind':
      noteCatalogBehind(event.error, parts);
      return;
    case 'thread_down':
      metrics.failedThreads += 1;
      log.warn({ err: event.error }, `${event.name} is down: its requests are refused`);
      return;
    case 'catalog_replaced':
      log.warn({ path: event.path }, 'the catalog was lost, and a new one is made');
      return;
    case 'snapshot_made':
      log.info(event.snapshot, 'a snapshot was made');
      return;
    case 'snapshot_failed':
      noteSnapshotFailed(event.error, parts);
      return;
    case 'snapshot_unusable':
      log.warn({ path: event.path, err: event.error }, 'a snapshot is unusable and was skipped');
      return;
    case 'audit_fault': {
      const { fault, seq } = event.report;
      metrics.violations += 1;
      log.error({ fault, seq }, 'an audit found a fault');
      return;
    }
    case 'failed':
      if (event.error instanceof InvariantError) metrics.violations += 1;
      log.fatal(
        { err: event.error },
        'the exchange stops because of a failure that it cannot repair',
      );
      onFatal(event.error);
      return;
  }
}

function noteCatalogBehind(error: unknown, { metrics, log }: CoreParts): void {
  metrics.failedCatalogWrites += 1;
  log.warn({ err: error }, 'the catalog could not be written: its lists are out of date');
}

function noteSnapshotFailed(error: Error, { metrics, log }: CoreParts): void {
  metrics.failedSnapshots += 1;
  log.warn({ err: error }, 'a snapshot could not be made; it is tried again');
}

type ViewEvent = Extract<ExchangeEvent, { readonly kind: 'sealed' | 'restored' | 'durable' }>;

/** The core of a cluster and its standbys show nothing to clients: they have the registry alone. */
function feedViews(event: ViewEvent, parts: CoreParts): void {
  const { registry, books, streams, shares, figures, delayEnds, health, settings } = parts;
  const isPublic = runsPublicApi(settings);
  switch (event.kind) {
    case 'sealed':
      if (isPublic) streams.seal(event.commands, event.state);
      return;
    // The registry first, because the other views read it.
    case 'restored':
      registry.restore(event.state);
      if (isPublic) for (const view of [books, streams]) view.restore(event.state);
      return;
    case 'durable':
      for (const share of shares) share.beforeBatch?.(event.commands);
      registry.consume(event.commands);
      if (isPublic)
        for (const view of [books, streams, figures, delayEnds]) view.consume(event.commands);
      health.noteDurable();
      return;
  }
}
