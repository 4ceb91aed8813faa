/**
 * Checks of a data folder that need no replay: SQLite's check of its databases, and the presence,
 * mode and fingerprint of its secrets. Invariant: files are only read.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_CHARACTERS, secretFingerprint } from '../folder/secrets.ts';
import { readDatabase } from '../shared/index.ts';
import type { Findings } from './findings.ts';

/** The mode bits of other users and the group. */
const OTHERS = 0o077;
const SECRET_BYTES = 32;
const COMPACT_LOCK = 'compact-lock';
const ARCHIVE = /^journal-[0-9]+-[0-9]+\.db$/;

/** The databases of a folder, by their relative paths. */
export function databasesOf(folder: string): string[] {
  const archive = join(folder, 'archive');
  const archived = existsSync(archive) ? readdirSync(archive) : [];
  const names = [
    'journal.db',
    ...archived.filter((name) => ARCHIVE.test(name)).map((name) => join('archive', name)),
    'analytics.db',
    'catalog.db',
  ];
  return names.filter((name) => existsSync(join(folder, name)));
}

/** SQLite's own check of a file's pages. */
export function checkDatabase(folder: string, name: string, findings: Findings): void {
  findings.attempt('file', name, () => {
    const verdict = readDatabase(join(folder, name), (database) =>
      String(database.pragma('quick_check(1)', { simple: true })),
    );
    if (verdict === 'ok') return;
    findings.add('file', name, `${name} is damaged: ${verdict.replaceAll('\n', ' ')}`);
  });
}

/** Notes each file of the archive folder that the journal does not list. */
export function checkStrays(folder: string, named: readonly string[], findings: Findings): void {
  const archive = join(folder, 'archive');
  if (!existsSync(archive)) return;
  for (const name of readdirSync(archive)) {
    if (name === COMPACT_LOCK || named.includes(name)) continue;
    findings.note(`archive/${name} is not an archive that the journal lists: nothing reads it`);
  }
}

/** What the journal says about API keys. */
export interface KeyTerms {
  /** Whether any API key was issued. */
  readonly keysExist: boolean;
  /** The fingerprint of the master secret; undefined if none is recorded. */
  readonly fingerprint: string | undefined;
}

export function checkSecrets(folder: string, terms: KeyTerms, findings: Findings): void {
  const { keysExist, fingerprint } = terms;
  const size = checkSecret(folder, 'master.secret', findings);
  if (size === undefined && keysExist) {
    findings.add(
      'secrets',
      'master.secret',
      'master.secret is missing, and API keys that were derived from it have been issued: ' +
        'the exchange does not start without it. Put it back from a backup',
    );
  } else if (size === undefined) {
    findings.note(
      'master.secret is missing: the next start creates it, because no API key depends on it',
    );
  } else if (size !== SECRET_BYTES) {
    const what = `master.secret has ${size} bytes instead of ${SECRET_BYTES}`;
    findings.add('secrets', 'master.secret', `${what}: put it back from a backup`);
  } else if (keysExist && fingerprint !== undefined) {
    findings.attempt('secrets', 'master.secret', () => {
      if (secretFingerprint(readFileSync(join(folder, 'master.secret'))) === fingerprint) return;
      findings.add(
        'secrets',
        'master.secret',
        "master.secret is not the one that the journal's API keys were derived from: the " +
          'exchange does not start with it. Put the right one back from a backup',
      );
    });
  }
  if (checkSecret(folder, 'admin.token', findings) === undefined) {
    findings.note(
      'admin.token is missing: the next start creates it, unless an option gives a token',
    );
    return;
  }
  findings.attempt('secrets', 'admin.token', () => {
    const { length } = readFileSync(join(folder, 'admin.token'), 'utf8').trimEnd();
    if (length >= SECRET_CHARACTERS) return;
    findings.add(
      'secrets',
      'admin.token',
      `admin.token has ${length} characters; it must have ${SECRET_CHARACTERS} or more: remove ` +
        'it to have it created again',
    );
  });
}

/** Checks the mode of a secret. Returns its size in bytes, or undefined if it is missing. */
function checkSecret(folder: string, name: string, findings: Findings): number | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const { mode, size } = statSync(path);
  if ((mode & OTHERS) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    const what = `${name} has mode ${octal}, so that other users can read it`;
    findings.add('secrets', name, `${what}: it must have mode 0600 (chmod 600 ${path})`);
  }
  return size;
}
