/**
 * Temporary folders for tests, and when what a test started ends. Callbacks of `teardown` run in
 * reverse order, so whatever a test starts in its folder is closed before the folder is removed.
 * `t.testdir()` cannot be used for this, because tap removes its folders before it runs any
 * teardown callback.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of a tap test or subtest that `temporaryFolder` needs. */
export interface Scope {
  teardown(end: () => unknown): void;
}

const batchScopes = new WeakMap<Scope, Scope>();

/** Tests below `root` that use `batchScopeOf` share what they start until `batch` ends. */
export function shareUntil(root: Scope, batch: Scope): void {
  batchScopes.set(root, batch);
}

/**
 * The scope of what the files of one process share. The teardowns of a file run at its end, those
 * of this scope after the last file. It is `t` itself where a file runs alone.
 */
export function batchScopeOf(t: Scope): Scope {
  return batchScopes.get(t) ?? t;
}

/** Makes a folder. It is removed after everything that the test started in it is closed. */
export function temporaryFolder(scope: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-test-'));
  scope.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
