/**
 * Notes that tests leave for people. `npm test` prints them after the results of all tests; a test
 * that runs by itself prints them at once.
 */
import { appendFileSync } from 'node:fs';

/** Names the file in which `test/run.ts` collects notes. */
export const NOTES_VARIABLE = 'TEST_NOTES';

export function leaveNote(text: string): void {
  const file = process.env[NOTES_VARIABLE];
  if (file === undefined) process.stdout.write(text);
  else appendFileSync(file, text);
}
