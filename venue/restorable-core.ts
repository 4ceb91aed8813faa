/**
 * The core of the exchange, which can be closed and opened again on an earlier state: a checkpoint.
 *
 * A restore copies the checkpoint while the exchange still runs. Then both listeners answer 425,
 * the requests in flight are answered, the sockets and the core are closed, the copy takes the
 * place of the folder's data, and another core is opened. The threads are parked meanwhile: without
 * that the restore would take a second.
 *
 * Invariant: one of save, restore and remove runs at a time. A restore that is refused has changed
 * nothing; one that fails later ends the exchange, and its next start has the whole of the one or
 * the other state. Clients never see a part of one state and a part of another.
 */

import { ApiError } from '../http/errors/index.ts';
import type { Checkpoints, RestoredCheckpoint, Services } from '../http/services/index.ts';
import {
  closeEach,
  commitSwap,
  type DataFolder,
  finishSwap,
  KeptBackups,
  keepThreads,
  type SavedState,
  SavedStateRefusal,
  SavedStates,
  toError,
} from '../persistence/index.ts';
import { PROGRAM_VERSION } from '../persistence/shared/index.ts';
import type { Base } from './base.ts';
import { type Core, openCore } from './core.ts';
import { type CoreParts, createParts, type StartOptions } from './core-parts.ts';

interface Opened {
  readonly folder: DataFolder;
  readonly states: SavedStates;
  readonly backups: KeptBackups;
  readonly core: Core;
}

export class RestorableCore implements Checkpoints {
  readonly #base: Base;
  readonly #options: StartOptions;
  #parts: CoreParts;
  #opened: Opened | undefined;
  /** What is being saved or restored. */
  #task: Promise<unknown> | undefined;
  #isClosing = false;

  /** Called before the listeners listen, because the sockets' paths must be known then. */
  constructor(base: Base, options: StartOptions) {
    this.#base = base;
    this.#options = options;
    this.#parts = createParts(base);
  }

  /** Opens the core on a folder, which stays open after `close`. */
  async open(folder: DataFolder): Promise<void> {
    const states = new SavedStates(folder, PROGRAM_VERSION);
    const backups = this.#keptBackups(folder);
    this.#opened = { folder, states, backups, core: await this.#openCore(folder, backups) };
  }

  get services(): Services {
    return this.#open.core.services;
  }

  list(): readonly SavedState[] {
    return this.#open.states.list();
  }

  save(name: string): Promise<SavedState> {
    return this.#alone(() => {
      const { clock, settings } = this.#base;
      const { states, core } = this.#open;
      const timeMs = Math.max(clock.now(), core.services.exchange.appliedMs);
      return states.save({ name, timeMs, madeMs: settings.now() });
    });
  }

  restore(id: string): Promise<RestoredCheckpoint> {
    return this.#alone(async () => {
      const { states } = this.#open;
      const state = await states.stage(id, this.#base.settings.now());
      try {
        await this.#replaceCore(this.#open);
      } catch (error) {
        this.#options.onFatal(toError(error));
        throw error;
      }
      return { ...state, streamId: this.services.exchange.streamId };
    });
  }

  remove(id: string): SavedState {
    this.#refuseSecond();
    return this.#open.states.remove(id);
  }

  /** Waits for what is being saved or restored. No heartbeats are counted from then on. */
  async prepareClose(): Promise<void> {
    this.#isClosing = true;
    // Its caller gets the failure.
    await this.#task?.catch(() => undefined);
    this.services.heartbeats.stop();
    this.services.crowd.stop();
    // What faults hold back is answered.
    this.#base.faults.clear();
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

  async #alone<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#refuseSecond();
    const task = run();
    this.#task = task;
    try {
      return await task;
    } finally {
      this.#task = undefined;
    }
  }

  #refuseSecond(): void {
    if (this.#isClosing) throw new ApiError('service_not_ready');
    if (this.#task !== undefined) throw new SavedStateRefusal('checkpoint_busy', {});
  }

  async #replaceCore({ folder, core, ...kept }: Opened): Promise<void> {
    const { server, operatorServer, faults, clock } = this.#base;
    // What they hold back is answered.
    faults.clear();
    // The request that restores is in flight too.
    await Promise.all([server.suspend(0), operatorServer.suspend(1)]);
    this.#parts.streams.close('restored');
    const endThreads = keepThreads();
    try {
      await core.close();
      commitSwap(folder.path);
      finishSwap(folder.path);
      // The folder has the offset of the checkpoint.
      clock.setOffset(0);
      this.#parts = createParts(this.#base);
      const { operators } = core.services;
      const opened = await this.#openCore(folder, kept.backups, operators);
      this.#opened = { folder, ...kept, core: opened };
    } finally {
      endThreads();
    }
  }

  #openCore(
    folder: DataFolder,
    backups: KeptBackups,
    operators?: Services['operators'],
  ): Promise<Core> {
    const kept = operators === undefined ? {} : { operators };
    return openCore(this.#parts, { ...this.#options, folder, backups, checkpoints: this, ...kept });
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
