/**
 * The core's side of the content: numbers the records, puts them into the log, and collects the
 * parts of questions that come from other nodes one by one.
 *
 * Invariant: the parts of a question get consecutive numbers, because they are numbered only when
 * the last one has arrived. Only the node that leads has a sequence. Bound: `uploadBytes` of parts
 * whose last one has not arrived; the oldest question is dropped for a new one, and its node
 * repeats it or has ended.
 */
import { type ContentStamp, StoreError } from '../../persistence/shared/index.ts';
import { decodePart, RECORD_BOUNDS, stampPart } from './content-record.ts';

export interface ContentSequenceOptions {
  /** The last record of the log, applied here or not. */
  readonly last: ContentStamp;
  /** Puts records into the next entries of the log. Resolves when they are committed. */
  readonly append: (records: readonly Uint8Array[]) => Promise<void>;
}

interface Upload {
  readonly parts: Uint8Array[];
  bytes: number;
}

export class ContentSequence {
  readonly #options: ContentSequenceOptions;
  #lastNumber: number;
  /** By who asked, the oldest first. */
  readonly #uploads = new Map<string, Upload>();
  #uploadedBytes = 0;

  constructor(options: ContentSequenceOptions) {
    this.#options = options;
    this.#lastNumber = options.last.number;
  }

  /** The number of the last record that was given to the log. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Puts all parts of a question into the log. */
  append(parts: readonly Uint8Array[]): Promise<void> {
    const { lineage } = this.#options.last;
    const first = this.#lastNumber + 1;
    this.#lastNumber += parts.length;
    return this.#options.append(
      parts.map((part, at) => stampPart({ lineage, number: first + at }, part)),
    );
  }

  /**
   * Takes one part of a question of another node. Resolves at once, for the last part when the
   * question is committed. Throws if the bytes are no part, or StoreError `overloaded`.
   */
  async take(encoded: Uint8Array): Promise<void> {
    const { asker, part, parts } = decodePart(encoded);
    const name = `${asker.process} ${asker.count}`;
    const upload = this.#uploads.get(name) ?? { parts: [], bytes: 0 };
    if (upload.parts.length !== part) {
      this.#drop(name);
      throw new StoreError('overloaded', `part ${part} of a write came without those before it`);
    }
    upload.parts.push(encoded);
    if (part + 1 === parts) {
      this.#drop(name);
      await this.append(upload.parts);
      return;
    }
    upload.bytes += encoded.length;
    this.#uploadedBytes += encoded.length;
    this.#uploads.set(name, upload);
    for (const [oldest] of this.#uploads) {
      if (this.#uploadedBytes <= RECORD_BOUNDS.uploadBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#uploadedBytes -= this.#uploads.get(name)?.bytes ?? 0;
    this.#uploads.delete(name);
  }
}
