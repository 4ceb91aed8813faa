// An answer of a catalog reader as a value, with its slots as the catalog filled them.

import type { SlottedJson } from '../../persistence/catalog/model/slotted-json.ts';

/** Untyped: the caller knows what it asked for. */
export function answerValue({ bytes }: SlottedJson) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
