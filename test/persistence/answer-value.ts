// Parses an answer of a catalog reader; its slots keep the values that the catalog wrote.

import type { SlottedJson } from '../../catalog/model/slotted-json.ts';

/** Untyped: the caller knows the type of the answer. */
export function answerValue({ bytes }: SlottedJson) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
