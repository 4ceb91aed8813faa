/**
 * A guest of a sandbox: a name, and a key that this browser makes and keeps. Whoever can read the
 * browser's storage has the key, so it is for play money alone.
 *
 * Bound: one guest in a browser.
 */
import { signal } from '@preact/signals';

const PLACE = 'outcome-exchange guest';
const KEY = /^0x[0-9a-f]{64}$/;

export interface Guest {
  /** 0x and 64 hex digits. */
  readonly privateKey: string;
  readonly name: string;
}

/** Undefined without a guest, and where the browser keeps nothing. */
function read(): Guest | undefined {
  try {
    const { privateKey, name } = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    return KEY.test(privateKey) && typeof name === 'string' ? { privateKey, name } : undefined;
  } catch {
    // The browser keeps nothing, or something else was written there.
    return undefined;
  }
}

export const guest = signal(read());

/** Throws where the browser keeps nothing: its key would be lost with the page. */
export function keepGuest(kept: Guest): void {
  localStorage.setItem(PLACE, JSON.stringify(kept));
  guest.value = kept;
}

export function forgetGuest(): void {
  localStorage.removeItem(PLACE);
  guest.value = undefined;
}
