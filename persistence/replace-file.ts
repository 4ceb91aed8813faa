/**
 * Puts a small file in place whole or not at all: written beside it, synced, renamed, and the
 * folder synced, so that neither a crash nor a power loss leaves half of it. Never for a database.
 */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export function replaceFile(path: string, content: Buffer): void {
  const beside = `${path}.new`;
  const file = openSync(beside, 'w', 0o600);
  try {
    for (let written = 0; written < content.length; ) {
      written += writeSync(file, content, written);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
