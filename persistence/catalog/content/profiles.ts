// What account holders say of themselves. Invariant: a profile's address has the case in which it
// was first written; of who never said anything only its pseudonym is known, which is made of the
// address. Bounds: WORD_BOUNDS.

import type { Database, Statement } from 'better-sqlite3';
import { pseudonymOf } from '../../shared/index.ts';
import {
  type ProfileColumns,
  profileText,
  SELECT_PROFILES,
  unknownProfile,
} from '../json/index.ts';
import type { CatalogText, ProfileChange, ProfileClearing } from '../model/index.ts';
import { durably } from '../model/index.ts';
import type { CatalogActions } from './actions.ts';

// What is not given stays; of a new one it is empty.
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
  -- A picture of its own has no smaller form.
  record = CASE WHEN @profileImage IS NULL THEN record
    ELSE json_remove(record, '$.profileImageOptimized') END`;

const CLEAR = `
UPDATE profiles SET name = '', bio = '', profile_image = '', pseudonym = @pseudonym,
  updated_at = @nowIso, record = '{}' WHERE wallet = @wallet`;

const IS_CLEAR = `
SELECT name = '' AND bio = '' AND profile_image = '' AS isClear FROM profiles WHERE wallet = ?`;

export class CatalogProfiles {
  readonly #database: Database;
  readonly #actions: CatalogActions;
  readonly #select: Statement<[wallet: string], ProfileColumns>;
  readonly #put: Statement<[Readonly<Record<string, unknown>>]>;
  readonly #clear: Statement<[Readonly<Record<string, unknown>>]>;
  readonly #isClear: Statement<[wallet: string], { readonly isClear: number }>;

  constructor(database: Database, actions: CatalogActions) {
    this.#database = database;
    this.#actions = actions;
    this.#select = database.prepare(`${SELECT_PROFILES} WHERE p.wallet = ?`);
    this.#put = database.prepare(PUT);
    this.#clear = database.prepare(CLEAR);
    this.#isClear = database.prepare(IS_CLEAR);
  }

  set({ address, proxyWallet, name, bio, ...change }: ProfileChange): CatalogText {
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

  /** Of one that is clear, or never was, nothing is listed. */
  clear({ address: wallet, nowIso, said }: ProfileClearing): CatalogText {
    return durably(this.#database, () => {
      if (this.#isClear.get(wallet)?.isClear === 0) {
        this.#clear.run({ wallet, pseudonym: pseudonymOf(wallet), nowIso });
        this.#actions.put({ kind: 'profile_clear', details: { address: wallet }, nowIso, said });
      }
      return this.#text(wallet);
    });
  }

  #text(wallet: string): CatalogText {
    return profileText(this.#select.get(wallet) ?? unknownProfile(wallet));
  }
}
