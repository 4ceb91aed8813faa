/**
 * The data folder: the names of its files, its lock and its secrets.
 */
export { DataFolder } from './data-folder.ts';
export { takeLock } from './folder-lock.ts';
export { masterSecret, secretFingerprint, secretText } from './kept-secrets.ts';
