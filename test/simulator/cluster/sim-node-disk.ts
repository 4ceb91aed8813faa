/** The disk of a simulated node, which survives its processes. */
import { LOG_START, type LogEntry, type LogPosition } from '../../../cluster/log/index.ts';

/** What a node has synced: all entries of the log up to some number. */
export class SimNodeDisk {
  readonly entries: LogEntry[] = [];
  logId: string | undefined;

  get position(): LogPosition {
    return this.entries.at(-1) ?? LOG_START;
  }

  /** Takes what another node has, as a snapshot does. */
  copyFrom(other: SimNodeDisk): void {
    this.entries.splice(0, this.entries.length, ...other.entries);
  }
}
