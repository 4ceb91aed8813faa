/**
 * Folders of tests. They are made with `teardown`, whose ends run last first: what a test starts
 * in a folder later is closed before the folder goes. The folders of `t.testdir()` go first of all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a tap test and a subtest both have. */
export interface Scope {
  teardown(end: () => unknown): void;
}

/** A new folder that is removed when the test has closed all that it started in it. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-test-'));
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
