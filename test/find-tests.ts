/** Finds the test files that a command line names. */
import { globSync } from 'node:fs';

/**
 * The test files of some rooms, in order of their paths; of all, if no room is named. A room is a
 * path below `test/`: a folder (`engine/book`), a file, or the beginning of one
 * (`engine/book/due`).
 */
export function findTests(rooms: readonly string[]): readonly string[] {
  const starts = rooms.map((room) => `test/${room.replace(/^\.?\/?(test\/)?/, '')}`);
  return globSync('test/**/*.test.ts')
    .filter((file) => starts.length === 0 || starts.some((start) => file.startsWith(start)))
    .toSorted();
}
