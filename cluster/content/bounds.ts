/** The bounds of content records. */
export const RECORD_BOUNDS = {
  /**
   * Bytes of a question in one record. A larger question is cut into several records, so that an
   * entry of the log has room for commands beside one (`entryContentBytes`).
   */
  partBytes: 60 * 1024,
  /** Bytes of one question: above the largest page of a sync. Beyond it: `too_many`. */
  questionBytes: 40 * 1024 * 1024,
  /** Records, and bytes of records, that each node keeps for nodes that were away. */
  keptRecords: 10_000,
  keptBytes: 96 * 1024 * 1024,
  /** Questions that one transaction applies, and the bytes after which it takes no further one. */
  appliedAtOnce: 256,
  appliedBytes: 4 * 1024 * 1024,
  /** Bytes of records that wait in memory; those beyond it are read from the journal later. */
  queuedBytes: 64 * 1024 * 1024,
  /** Bytes of the answer with records that a node missed; it has one record at least. */
  missedBytes: 192 * 1024,
  /** Bytes of questions that the core holds until their last parts arrive. Beyond it: refused. */
  uploadBytes: 128 * 1024 * 1024,
  /** Bytes of a catalog's file that one request copies. */
  copyBytes: 192 * 1024,
} as const;
