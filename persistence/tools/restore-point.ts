/**
 * Makes a restored folder be as of an earlier command: cuts the journal there, replays what is
 * left, and makes the catalog agree with it. Invariant: the folder is used only if its journal
 * replays to a valid state. Texts of the catalog stay as of the backup: they have no history.
 */
import { join } from 'node:path';
import { openCatalog } from '../../catalog/catalog.ts';
import { EngineMarkets } from '../../catalog/engine-markets.ts';
import { Engine } from '../../engine/index.ts';
import { JournalReader } from '../journal/reader.ts';
import { recover } from '../recovery/recovery.ts';
import { restoredState } from '../shared/index.ts';
import { type Restored, restoreNewest } from '../snapshots/restore.ts';
import type { ToolOptions } from './compaction-limit.ts';
import { type CutPoint, cutJournal } from './journal-cut.ts';

/** Throws BackupError, or StoreError if the journal does not replay. */
export async function restorePoint(
  folder: string,
  point: CutPoint,
  onProgress: ToolOptions['onProgress'],
): Promise<void> {
  const lastSeq = cutJournal(folder, point);
  const journalPath = join(folder, 'journal.db');
  const feed = new EngineMarkets({
    onFailure: (error) => {
      throw error;
    },
  });
  const restored = await snapshotOf(folder, journalPath, lastSeq);
  if (restored !== undefined) {
    feed.restore(restoredState(restored.engine, restored.facts, restored.head));
  }
  const engine = restored?.engine ?? new Engine();
  await recover({
    journalPath,
    engine,
    fromSeq: restored?.head.seq ?? 0,
    lastSeq,
    onDurable: (commands) => {
      feed.consume(commands);
      const done = commands.at(-1)?.seq ?? 0;
      onProgress?.({ what: 'commands replayed', done, total: lastSeq });
    },
  });
  engine.validate();
  await reconcile(join(folder, 'catalog.db'), feed);
}

async function snapshotOf(
  folder: string,
  journalPath: string,
  lastSeq: number,
): Promise<Restored | undefined> {
  const journal = new JournalReader(journalPath);
  try {
    return await restoreNewest({ folder: join(folder, 'snapshots'), journal, lastSeq });
  } finally {
    journal.close();
  }
}

/** Markets that ended after the point are open again, and each market has a record. */
async function reconcile(path: string, feed: EngineMarkets): Promise<void> {
  const catalog = openCatalog(path);
  try {
    await feed.open({
      reconcile: async ({ markets, ends }) => catalog.reconcile(markets, ends),
      markEnded: async (ends) => {
        catalog.markEnded(ends);
        return undefined;
      },
    });
    await feed.close();
  } finally {
    catalog.close();
  }
}
