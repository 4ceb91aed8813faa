/**
 * What can be said of a data folder's files without the journal's replay: whether SQLite finds them
 * whole, and whether secrets are there and closed to other users. Invariant: they are only read.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { secretFingerprint } from '../folder/index.ts';
import { readDatabase } from '../shared/index.ts';
import type { Findings } from './findings.ts';

/** What others may do with a file. */
const OTHERS = 0o077;
const SECRET_BYTES = 32;
const COMPACT_LOCK = 'compact-lock';
const ARCHIVE = /^journal-[0-9]+-[0-9]+\.db$/;

/** The databases of a folder that are there, by their names in it. */
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

/** What is beside the archives that the journal names: a note, for nothing reads it. */
export function checkStrays(folder: string, named: readonly string[], findings: Findings): void {
  const archive = join(folder, 'archive');
  if (!existsSync(archive)) return;
  for (const name of readdirSync(archive)) {
    if (name === COMPACT_LOCK || named.includes(name)) continue;
    findings.note(
      `archive/${name} is none of the archives that the journal names: nothing reads it`,
    );
  }
}

/** What the journal says of its keys. */
export interface KeyTerms {
  /** Whether API keys that hang on the master secret were issued. */
  readonly keysExist: boolean;
  /** Of the master secret; undefined when nobody noted it yet. */
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
    findings.note('master.secret is not there: the next start makes it, for no key hangs on it');
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
          'exchange does not start with it. Put back the one that belongs here, from a backup',
      );
    });
  }
  const token = checkSecret(folder, 'admin.token', findings);
  if (token === undefined) {
    findings.note('admin.token is not there: it is given otherwise, or made at the next start');
  } else if (token === 0) {
    findings.add('secrets', 'admin.token', 'admin.token is empty: remove it to have it made anew');
  }
}

/** Its size; undefined when it is not there. */
function checkSecret(folder: string, name: string, findings: Findings): number | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const { mode, size } = statSync(path);
  if ((mode & OTHERS) !== 0) {
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    const what = `${name} has mode ${octal}, so that other users can get at it`;
    findings.add('secrets', name, `${what}: it must have mode 0600 (chmod 600 ${path})`);
  }
  return size;
}
