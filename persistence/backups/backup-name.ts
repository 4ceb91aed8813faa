/** The file names of backups. */

/** Sortable, and different for each millisecond. */
export function backupName(prefix: string, ms: number): string {
  return `${prefix}-${new Date(ms).toISOString().replaceAll(/[-:]/g, '')}.tar`;
}
