/** The options of every tool that shows its progress. */
export interface ToolOptions {
  readonly dataDir: string;
  readonly onProgress?: (progress: ToolProgress) => void;
}

/** How far a tool has got, for a line on a terminal. */
export interface ToolProgress {
  /** What is counted: `commands replayed`. */
  readonly what: string;
  readonly done: number;
  /** 0 if it is not known. */
  readonly total: number;
}
