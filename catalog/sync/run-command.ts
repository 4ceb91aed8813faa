/** The command `sync`: copies another catalog into that of a data folder that nothing serves. */

import { UsageError } from '../../cli/parser/parse-arguments.ts';
import type { CommandResult, CommandRun } from '../../cli/parser/program-command.ts';
import { resolveOptions } from '../../cli/parser/resolve-options.ts';
import { counted, countLines, PRINTED, ProgressLine, refusalLines } from '../../cli/tools/index.ts';
import { parseBaseUrl } from '../../http/codec/index.ts';
import { CatalogFolder } from '../../persistence/index.ts';
import { DEFAULT_PACE, SYNC_USER_AGENT } from './bounds.ts';
import { SYNC_OPTIONS } from './options.ts';
import { type SyncReport, SyncRun, type SyncStore } from './run.ts';
import { Source } from './source.ts';

/** Throws `UsageError`, and an Error whose message is complete for work that failed. */
export async function runSync({ sources, version, progress }: CommandRun): Promise<CommandResult> {
  const { values } = resolveOptions(SYNC_OPTIONS, sources);
  const line = new ProgressLine(progress);
  const url = parseBaseUrl(values.from ?? '');
  if (url === undefined) throw new UsageError(['--from is missing: the catalog to copy']);
  const folder = new CatalogFolder(values.dataDir);
  try {
    const userAgent = `${SYNC_USER_AGENT} ${version}`;
    const { signal } = new AbortController();
    const source = new Source({ url, userAgent, pace: DEFAULT_PACE, signal });
    const store: SyncStore = {
      mark: async (name, kind) => folder.mark(name, kind),
      put: async (page) => folder.putPage(page),
    };
    const report = await new SyncRun({
      source,
      store,
      nowMs: Date.now,
      onProgress: (kind, done) => line.show({ what: `${kind} read`, done, total: 0 }),
    }).run();
    const text = values.json ? JSON.stringify(report) : syncText(report);
    return { text, ok: report.failure === undefined };
  } finally {
    folder.close();
    line.end();
  }
}

function syncText(report: SyncReport): string {
  const { source, requests, ms, counts, refusals, refused, notes, failure } = report;
  const verdict =
    failure === undefined
      ? `${source} is copied: ${counted(requests)} requests in ${counted(ms)} ms.`
      : `${source} is copied only in part: ${failure}. The next run continues where this ended.`;
  return [
    verdict,
    ...countLines(counts),
    ...notes.slice(0, PRINTED).map((note) => `Note: ${note}.`),
    ...refusalLines(refusals, refused),
    '',
  ].join('\n');
}
