/**
 * The core of the exchange, which can be closed and opened again on another state of its folder.
 *
 * `replace` does that: both listeners answer 425, the requests in flight are answered, the sockets
 * and the core are closed, the staged state takes the place of the folder's data, and another core
 * is opened. The threads are parked meanwhile: without that it would take a second.
 *
 * Invariant: clients never see a part of one state and a part of another. If `replace` fails, the
 * exchange ends, and its next start has the whole of the one or the other state.
 */
import { ApiError } from '../http/errors/index.ts';
import type { CoreSwap, Services } from '../http/services/index.ts';
import {
  closeEach,
  commitSwap,
  type DataFolder,
  finishSwap,
  KeptBackups,
  keepThreads,
  toError,
} from '../persistence/index.ts';
import type { Base } from './base.ts';
import { type Core, openCore } from './core.ts';
import { type CoreParts, createParts, type StartOptions } from './core-parts.ts';
import { handleEvent } from './exchange-events.ts';

interface Opened {
  readonly folder: DataFolder;
  readonly backups: KeptBackups;
  readonly core: Core;
}

export class RestorableCore implements CoreSwap {
  readonly #base: Base;
  readonly #options: StartOptions;
  #parts: CoreParts;
  #folder: DataFolder | undefined;
  #opened: Opened | undefined;

  /** Called before the listeners listen, because the sockets' paths must be known then. */
  constructor(base: Base, options: StartOptions) {
    this.#base = base;
    this.#options = options;
    this.#parts = this.#createParts();
  }

  /** Opens the core on a folder, which stays open after `close`. */
  async open(folder: DataFolder): Promise<void> {
    // Plots ask for the folder when the core is made.
    this.#folder = folder;
    const backups = this.#keptBackups(folder);
    this.#opened = { folder, backups, core: await this.#openCore(folder, backups) };
  }

  get services(): Services {
    return this.#open.core.services;
  }

  get folder(): DataFolder {
    if (this.#folder === undefined) throw new ApiError('service_not_ready');
    return this.#folder;
  }

  async replace(): Promise<void> {
    try {
      await this.#replaceCore(this.#open);
    } catch (error) {
      this.#options.onFatal(toError(error));
      throw error;
    }
  }

  /** Waits until no plot replaces the core any more. No heartbeats are counted from then on. */
  async prepareClose(): Promise<void> {
    await Promise.all(this.#base.plots.map((plot) => plot.prepareClose?.()));
    this.services.heartbeats.stop();
    for (const share of this.#parts.shares) share.release?.();
  }

  async close(): Promise<void> {
    await closeEach([
      async () => this.#opened?.core.close(),
      async () => this.#opened?.backups.close(),
    ]);
  }

  get #open(): Opened {
    if (this.#opened === undefined) throw new ApiError('service_not_ready');
    return this.#opened;
  }

  async #replaceCore({ folder, core, ...kept }: Opened): Promise<void> {
    const { server, operatorServer, clock } = this.#base;
    for (const share of this.#parts.shares) share.release?.();
    // The request that restores is in flight too.
    await Promise.all([server.suspend(0), operatorServer.suspend(1)]);
    this.#parts.streams.close('restored');
    const endThreads = keepThreads();
    try {
      await core.close();
      commitSwap(folder.path);
      finishSwap(folder.path);
      // The folder has the offset of the staged state.
      clock.setOffset(0);
      this.#parts = this.#createParts();
      const { operators } = core.services;
      const opened = await this.#openCore(folder, kept.backups, operators);
      this.#opened = { folder, ...kept, core: opened };
    } finally {
      endThreads();
    }
  }

  #createParts(): CoreParts {
    const { onFatal } = this.#options;
    return createParts(this.#base, this, (event, parts) => handleEvent(event, parts, onFatal));
  }

  #openCore(
    folder: DataFolder,
    backups: KeptBackups,
    operators?: Services['operators'],
  ): Promise<Core> {
    const kept = operators === undefined ? {} : { operators };
    return openCore(this.#parts, { ...this.#options, folder, backups, ...kept });
  }

  #keptBackups(folder: DataFolder): KeptBackups {
    const { settings, log } = this.#base;
    return new KeptBackups({
      dataDir: folder.path,
      folder: settings.backupDir,
      now: settings.now,
      onEnd: ({ name, error, report }) => {
        if (report === undefined) log.error({ name, error }, 'a backup could not be made');
        else log.info({ name, bytes: report.bytes, sha256: report.sha256 }, 'a backup was made');
      },
    });
  }
}
