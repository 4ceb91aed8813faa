/**
 * Profiles of account holders. Invariant: an address keeps the case in which it was first written;
 * an owner without a profile has a pseudonym, which is derived from the address. Bounds:
 * CONTENT_BOUNDS.
 */
import type { Database } from 'better-sqlite3';
import { pseudonymOf, StatementCache } from '../../persistence/shared/index.ts';
import {
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
  unnamedProfile,
} from '../json/profile-text.ts';
import {
  durably,
  type ProfileChange,
  type ProfileClearing,
  type SlottedJson,
} from '../model/index.ts';
import type { ActionLog } from './local-changes.ts';

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
  -- The smaller form belongs to the old picture.
  record = CASE WHEN @profileImage IS NULL THEN record
    ELSE json_remove(record, '$.profileImageOptimized') END`;

const CLEAR = `
UPDATE profiles SET name = '', bio = '', profile_image = '', pseudonym = @pseudonym,
  updated_at = @nowIso, record = '{}' WHERE wallet = @wallet`;

const IS_CLEAR = `
SELECT name = '' AND bio = '' AND profile_image = '' FROM profiles WHERE wallet = ?`;

export class CatalogProfiles {
  readonly #sql: StatementCache;
  readonly #database: Database;
  readonly #actions: ActionLog;

  constructor(database: Database, actions: ActionLog) {
    this.#sql = new StatementCache(database);
    this.#database = database;
    this.#actions = actions;
  }

  set({ address, proxyWallet, name, bio, ...change }: ProfileChange): SlottedJson {
    const { profileImage, displayUsernamePublic, nowIso } = change;
    return durably(this.#database, () => {
      this.#sql.run(PUT, {
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
      if (this.#sql.value<number>(IS_CLEAR, wallet) === 0) {
        this.#sql.run(CLEAR, { wallet, pseudonym: pseudonymOf(wallet), nowIso });
        this.#actions.put({ kind: 'profile_clear', details: { address: wallet }, nowIso, said });
      }
      return this.#text(wallet);
    });
  }

  #text(wallet: string): SlottedJson {
    const sql = `${SELECT_PROFILES} WHERE p.wallet = ?`;
    return profileText(this.#sql.get<ProfileColumns>(sql, wallet) ?? unnamedProfile(wallet));
  }
}
