/**
 * Profiles of account holders. Invariant: an address keeps the case in which it was first written;
 * an owner without a profile has a pseudonym, which is derived from the address. Bounds:
 * CONTENT_BOUNDS.
 */
import type { Database, Statement } from 'better-sqlite3';
import { pseudonymOf } from '../../shared/index.ts';
import {
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
  unknownProfile,
} from '../json/index.ts';
import {
  durably,
  type ProfileChange,
  type ProfileClearing,
  type SlottedJson,
} from '../model/index.ts';
import type { ActionLog } from './action-log.ts';

// A missing field keeps its value, and is empty in a new profile.
const PUT = `
INSERT INTO profiles (wallet, proxy_wallet, name, pseudonym, bio, profile_image,
  display_username_public, is_mod, created_at, updated_at, record)
VALUES (@wallet, coalesce(@proxyWallet, @wallet), coalesce(@name, ''), @pseudonym,
  coalesce(@bio, ''), coalesce(@profileImage, ''), coalesce(@isPublic, 1), 0, @nowIso, @nowIso,
  '{}')
ON CONFLICT (wallet) DO UPDATE SET
  proxy_wallet = coalesce(@proxyWallet, proxy_wallet), name = coalesce(@name, name),
  bio = coalesce(@bio, bio), profile_image = coalesce(@profileImage, profile_image),
  display_username_public = coalesce(@isPublic, display_username_public), updated_at = @nowIso,
  -- A new picture has no smaller form.
  record = CASE WHEN @profileImage IS NULL THEN record
    ELSE json_remove(record, '$.profileImageOptimized') END`;

const CLEAR = `
UPDATE profiles SET name = '', bio = '', profile_image = '', pseudonym = @pseudonym,
  updated_at = @nowIso, record = '{}' WHERE wallet = @wallet`;

const IS_CLEAR = `
SELECT name = '' AND bio = '' AND profile_image = '' AS isClear FROM profiles WHERE wallet = ?`;

export class CatalogProfiles {
  readonly #database: Database;
  readonly #actions: ActionLog;
  readonly #select: Statement<[wallet: string], ProfileColumns>;
  readonly #put: Statement<[Readonly<Record<string, unknown>>]>;
  readonly #clear: Statement<[Readonly<Record<string, unknown>>]>;
  readonly #isClear: Statement<[wallet: string], { readonly isClear: number }>;

  constructor(database: Database, actions: ActionLog) {
    this.#database = database;
    this.#actions = actions;
    this.#select = database.prepare(`${SELECT_PROFILES} WHERE p.wallet = ?`);
    this.#put = database.prepare(PUT);
    this.#clear = database.prepare(CLEAR);
    this.#isClear = database.prepare(IS_CLEAR);
  }

  set({ address, proxyWallet, name, bio, ...change }: ProfileChange): SlottedJson {
    const { profileImage, displayUsernamePublic, nowIso } = change;
    return durably(this.#database, () => {
      this.#put.run({
        wallet: address,
        proxyWallet: proxyWallet ?? null,
        name: name ?? null,
        pseudonym: pseudonymOf(address),
        bio: bio ?? null,
        profileImage: profileImage ?? null,
        isPublic: displayUsernamePublic === undefined ? null : Number(displayUsernamePublic),
        nowIso,
      });
      return this.#text(address);
    });
  }

  /** An empty or missing profile stays as it is, and no action is logged. */
  clear({ address: wallet, nowIso, said }: ProfileClearing): SlottedJson {
    return durably(this.#database, () => {
      if (this.#isClear.get(wallet)?.isClear === 0) {
        this.#clear.run({ wallet, pseudonym: pseudonymOf(wallet), nowIso });
        this.#actions.put({ kind: 'profile_clear', details: { address: wallet }, nowIso, said });
      }
      return this.#text(wallet);
    });
  }

  #text(wallet: string): SlottedJson {
    return profileText(this.#select.get(wallet) ?? unknownProfile(wallet));
  }
}
