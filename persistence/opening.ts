/**
 * Opens an exchange in this process: its journal makes commands durable, and a sequencer gives them
 * their order. Invariant: no command is accepted before everything has recovered.
 */
import { openNode } from './cluster-opening.ts';
import type { Exchange } from './exchange.ts';
import { DataFolder } from './folder/index.ts';
import { startSqliteLog } from './log/index.ts';
import type { ExchangeOptions, FolderlessOptions } from './options.ts';
import { Sequencer } from './sequencer.ts';
import { checksumsReady, DisposableStack } from './shared/index.ts';
import { Store } from './store.ts';

/** Throws StoreError when the data folder can't be used, with a message that says what to do. */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const { dataDir, temporary, onEvent } = options;
  const closers = new DisposableStack();
  const folder = new DataFolder({
    dataDir,
    temporary,
    onTightened: (path, mode) => onEvent({ kind: 'secret_tightened', path, mode }),
  });
  closers.defer(() => folder.release());
  return open(folder, options, closers);
}

/** The same in a folder that is open, and stays so when the exchange closes. */
export function openExchangeIn(folder: DataFolder, options: FolderlessOptions): Promise<Exchange> {
  return open(folder, options, new DisposableStack());
}

async function open(
  folder: DataFolder,
  options: FolderlessOptions,
  closers: DisposableStack,
): Promise<Exchange> {
  try {
    await checksumsReady;
    const store = new Store(folder, options, closers);
    const { cluster } = options;
    if (cluster === undefined) return await openAlone(store, options, closers);
    return await openNode(folder, store, { ...options, cluster }, closers);
  } catch (error) {
    return closers.disposeAfter(error);
  }
}

async function openAlone(
  store: Store,
  options: FolderlessOptions,
  closers: DisposableStack,
): Promise<Exchange> {
  let sequencer: Sequencer | undefined;
  const { log, opened } = await startSqliteLog({
    data: store.journalData,
    onEvent: (event) => {
      if (event.kind === 'committed') sequencer?.committed(event.seq);
      else store.fail(event.error);
    },
  });
  closers.defer(() => log.close());
  const recovered = await store.recover(opened);
  const { engine } = recovered;
  const { now, observer } = options;
  sequencer = new Sequencer({
    ...opened,
    engine,
    now,
    write: (batch) => log.append(batch, []),
    onSealed: (commands) => store.reportSealed(commands, engine),
    onDurable: (commands) => {
      // They work while this thread runs the event's listeners.
      store.wakeFollowers(commands.at(-1)!.seq);
      store.reportDurable(commands);
    },
    onFatal: (error) => store.reportFailure(error),
    ...(observer && { observer }),
  });
  const source = sequencer;
  store.source = source;
  return store.open(recovered, (clockOffsetMs) => {
    source.expectMovedClock();
    return log.keepClockOffset(clockOffsetMs);
  });
}
