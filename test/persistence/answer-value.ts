// What a reader of the catalog answers, as a value: where trading says nothing, as sources tell it.

import {
  type CatalogText,
  joinCatalogText,
  type MarketsText,
} from '../../persistence/catalog/model/text.ts';

/** Safe as far as the caller knows what it asked for. */
export function answerValue(answer: CatalogText | MarketsText) {
  return JSON.parse(
    'bytes' in answer
      ? new TextDecoder().decode(answer.bytes)
      : joinCatalogText(answer, ({ told }) => told),
  );
}
