/**
 * The data folder: the names of its files, its lock and its secrets.
 *
 * Invariants: one process at a time uses a folder, by an exclusive lock that the system releases
 * when the process dies; only the owner may read a secret, and a master secret that API keys were
 * derived from is never replaced silently. A temporary folder is removed when it is released, or
 * by the next process that needs one. A swap of the folder's data is finished by the next start.
 */
export { DataFolder } from './data-folder.ts';
export { takeLock } from './folder-lock.ts';
export {
  commitSwap,
  finishSwap,
  isSwapping,
  makeStaging,
  removeStaging,
  SWAPPED_DATABASES,
  SWAPPED_FOLDERS,
} from './folder-swap.ts';
export {
  checkMasterSecret,
  keepMasterSecret,
  masterSecret,
  SECRET_CHARACTERS,
  secretFingerprint,
  secretText,
} from './secrets.ts';
