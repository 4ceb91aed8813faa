/**
 * The secrets that stay with a data folder. Invariant: one that anything was derived from is never
 * replaced in silence.
 */
import { randomBytes } from 'node:crypto';
import type { DataFolder } from './data-folder.ts';
import { StoreError } from './store-error.ts';

const SECRET_BYTES = 32;

/** Made at the first start; refused when keys that were derived from another one are out there. */
export function masterSecret(folder: DataFolder, keysExist: boolean): Buffer {
  const secret = folder.secret('master.secret', () => {
    if (keysExist) throw secretLost(folder.path);
    return randomBytes(SECRET_BYTES);
  });
  if (secret.length === SECRET_BYTES) return secret;
  throw new StoreError(
    'secret_malformed',
    `${folder.path}/master.secret has ${secret.length} bytes instead of ${SECRET_BYTES}: put it ` +
      'back from a backup; without it, every API key has to be made anew',
  );
}

/** Nothing at all is not a secret: whoever sends nothing would know it. */
export function secretText(folder: DataFolder, name: string, make: () => string): string {
  const text = folder
    .secret(name, () => Buffer.from(`${make()}\n`))
    .toString()
    .trimEnd();
  if (text !== '') return text;
  throw new StoreError(
    'secret_malformed',
    `${folder.path}/${name} is empty: put it back from a backup, or remove it to have it made anew`,
  );
}

function secretLost(path: string): StoreError {
  return new StoreError(
    'secret_malformed',
    `${path}/master.secret is missing, and API keys that were derived from it have been issued: ` +
      'put it back from a backup. A new one would refuse every one of those keys',
  );
}
