/**
 * Temporary folders for tests. Callbacks of `teardown` run in reverse order, so whatever a test
 * starts in its folder is closed before the folder is removed. `t.testdir()` cannot be used for
 * this, because tap removes its folders before it runs any teardown callback.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a tap test or subtest that `temporaryFolder` needs. */
export interface Scope {
  teardown(end: () => unknown): void;
}

/** Makes a folder. It is removed after everything that the test started in it is closed. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-test-'));
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
