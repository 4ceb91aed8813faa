/**
 * The labels of a market's outcomes. They come from the catalog; trading never depends on them.
 */

/** Labels of outcome 0 and 1: "Yes" and "No", or the names of two teams. */
export type OutcomeLabels = readonly [string, string];

/** The catalog's look-up by condition id. */
export interface LabelSource {
  marketByCondition(conditionId: string): { readonly outcomes: OutcomeLabels } | undefined;
}

const PLAIN_LABELS: OutcomeLabels = ['Yes', 'No'];

/** Finds labels, asking the catalog once for each market. Made for one page of answers. */
export function labelFinder(source: LabelSource): (conditionId: string) => OutcomeLabels {
  const found = new Map<string, OutcomeLabels>();
  return (conditionId) => {
    const known = found.get(conditionId);
    if (known !== undefined) return known;
    const labels = source.marketByCondition(conditionId)?.outcomes ?? PLAIN_LABELS;
    found.set(conditionId, labels);
    return labels;
  };
}
