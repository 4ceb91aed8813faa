/** What `import` and `sync` did, for a person. */
import type { PageReport, RecordCounts } from '../../../persistence/index.ts';
import type { SyncReport } from '../../sync/index.ts';
import { counted } from './progress.ts';

/** How many refusals and notes are printed; `--json` has more. */
const PRINTED = 20;

function countLines(counts: Readonly<Partial<Record<string, RecordCounts>>>): string[] {
  return Object.entries(counts).flatMap(([kind, one]) =>
    one === undefined
      ? []
      : [
          `${kind}: ${counted(one.added)} added, ${counted(one.updated)} updated, ` +
            `${counted(one.unchanged)} unchanged, ${counted(one.refused)} refused`,
        ],
  );
}

function refusalLines(
  refusals: readonly { readonly sentence: string }[],
  refused: number,
): string[] {
  const lines = refusals.slice(0, PRINTED).map(({ sentence }) => `Refused: ${sentence}.`);
  const left = refused - lines.length;
  return left > 0 ? [...lines, `and ${counted(left)} more.`] : lines;
}

export function importText(file: string, { counts, refusals, refused }: PageReport): string {
  const verdict =
    refused === 0
      ? `All of ${file} is in the catalog.`
      : `NOTHING of ${file} is in the catalog, for ${counted(refused)} refusals. Without them:`;
  return [verdict, ...countLines(counts), ...refusalLines(refusals, refused), ''].join('\n');
}

export function syncText(report: SyncReport): string {
  const { source, requests, ms, counts, refusals, refused, notes, failure } = report;
  const verdict =
    failure === undefined
      ? `${source} is copied: ${counted(requests)} requests in ${counted(ms)} ms.`
      : `${source} is NOT copied to its end: ${failure}. The next run goes on from there.`;
  return [
    verdict,
    ...countLines(counts),
    ...notes.slice(0, PRINTED).map((note) => `Note: ${note}.`),
    ...refusalLines(refusals, refused),
    '',
  ].join('\n');
}
