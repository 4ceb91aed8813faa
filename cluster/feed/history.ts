/**
 * Parts of the journal for replicas that are behind, read and encoded by a thread of the core, so
 * that no command waits for that.
 */
import type { JournalPlace } from '../../persistence/journal/schema.ts';
import { STORE_BOUNDS } from '../../persistence/shared/index.ts';
import { WorkerClient } from '../../persistence/threads/index.ts';
import { decodeEntry, encodeEntry, LOG_START, type LogPart } from '../log/index.ts';

/** A part of the journal, ready to be sent. */
export interface HistoryPart {
  readonly body: Uint8Array;
  /** The last command in it; the one asked for if there is none after it. */
  readonly lastSeq: number;
  /** If the part ends where the journal does: the position of the log that the journal has. */
  readonly position?: HistoryEnd | undefined;
}

/** A position of the log, with the last content record up to there, which a part does not have. */
export type HistoryEnd = Omit<JournalPlace, 'logId'>;

/** Commands that were journaled, with what the log's entries say beside them. */
export interface HistoryCommands extends Omit<LogPart, 'content'>, BatchEnds {
  /** The rules under which they ran. */
  readonly rules: number;
}

export interface BatchEnds {
  /** Of each command, whether it was the last one of its batch. */
  readonly ends: readonly boolean[];
  /** The digest of each command; see `StoredCommand`. */
  readonly digests: readonly (number | null)[];
}

export interface HistoryKinds {
  readonly read: {
    readonly ask: { readonly afterSeq: number; readonly checksum?: number | undefined };
    readonly answer: HistoryPart;
  };
}

export interface HistoryThreadData {
  readonly journalPath: string;
}

/** Starts at its first question. */
export class HistoryReader {
  readonly #client: WorkerClient<HistoryKinds>;
  #starting: Promise<void> | undefined;

  constructor(data: HistoryThreadData, onDown: (error: Error) => void) {
    this.#client = new WorkerClient({
      entry: new URL('./history-thread.ts', import.meta.url),
      name: 'the thread that reads the journal for replicas',
      data,
      downCode: 'reader_unavailable',
      waitingLimit: STORE_BOUNDS.waitingAudits,
      onDown,
    });
  }

  async read(afterSeq: number, checksum?: number): Promise<HistoryPart> {
    this.#starting ??= this.#client.start();
    await this.#starting;
    return this.#client.ask('read', { afterSeq, checksum });
  }

  async stop(): Promise<void> {
    if (this.#starting === undefined) return;
    await this.#starting.catch(() => undefined);
    await this.#client.stop();
  }
}

export function encodeHistory({ rules, ends, digests, ...part }: HistoryCommands): Buffer {
  const head = Buffer.from(JSON.stringify({ rules, ends, digests }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  const { bytes } = encodeEntry({
    ...part,
    content: [],
    number: 0,
    epoch: 0,
    previous: LOG_START.check,
    bytesBefore: 0,
  });
  return Buffer.concat([length, head, bytes]);
}

export function decodeHistory(body: Buffer): HistoryCommands {
  const headEnd = 4 + body.readUInt32BE(0);
  // Safe: the core's thread made it with encodeHistory, and the frame's checksum is right.
  const head = JSON.parse(body.toString('utf8', 4, headEnd)) as BatchEnds & { rules: number };
  const part = decodeEntry('a part of the journal', body.subarray(headEnd));
  return { ...part, ...head };
}
