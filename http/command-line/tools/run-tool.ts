/**
 * The commands that work on a data folder without serving it: each runs to its end and says what
 * came of it. Invariant: none of them changes what is in the folder but `restore`, into an empty
 * one, `compact`, and `import` and `sync`, which change its catalog alone.
 */
import {
  backupFolder,
  CatalogFolder,
  compactJournal,
  type InspectedCommand,
  Inspector,
  importFile,
  inspectSnapshot,
  inspectSnapshots,
  restoreBackup,
  verifyFolder,
} from '../../../persistence/index.ts';
import { signedContent } from '../../orders/index.ts';
import {
  DEFAULT_PACE,
  parseSource,
  Source,
  SYNC_USER_AGENT,
  SyncRun,
  type SyncStore,
} from '../../sync/index.ts';
import type { ToolValues } from '../options/index.ts';
import { type Inspection, parseInspection, UsageError } from '../options/index.ts';
import { backupText, compactText, restoreText } from './folder-texts.ts';
import { inspectText } from './inspect-text.ts';
import { importText, syncText } from './intake-texts.ts';
import { ProgressLine, type ProgressOptions } from './progress.ts';
import { suspendBetweenTurns } from './suspend-signal.ts';
import { verifyText } from './verify-text.ts';

export interface ToolRun {
  readonly values: ToolValues;
  readonly operands: readonly string[];
  /** Of this program. */
  readonly version: string;
  readonly progress: ProgressOptions;
}

export interface ToolResult {
  readonly text: string;
  /** Whether the process ends with 0. */
  readonly ok: boolean;
}

type Tool = (run: ToolRun, line: ProgressLine) => Promise<ToolResult>;

const verify: Tool = async ({ values: { dataDir, json } }, line) => {
  const onProgress = line.show.bind(line);
  const report = await verifyFolder({ dataDir, onProgress });
  return { ok: report.ok, text: json ? JSON.stringify(report) : verifyText(dataDir, report) };
};

const backup: Tool = async ({ values: { dataDir, json }, operands, version }, line) => {
  const [file = ''] = operands;
  const onProgress = line.show.bind(line);
  const report = await backupFolder({ dataDir, file, version, nowMs: Date.now(), onProgress });
  return { ok: true, text: json ? JSON.stringify(report) : backupText(report) };
};

const restore: Tool = async ({ values: { dataDir, json }, operands }, line) => {
  const [file = ''] = operands;
  const report = await restoreBackup({ dataDir, file, onProgress: line.show.bind(line) });
  return { ok: true, text: json ? JSON.stringify(report) : restoreText(report) };
};

const compact: Tool = async ({ values: { dataDir, json } }, line) => {
  const onProgress = (done: number, total: number): void =>
    line.show({ what: 'commands moved', done, total });
  const report = await suspendBetweenTurns(process, () => compactJournal({ dataDir, onProgress }));
  return { ok: true, text: json ? JSON.stringify(report) : compactText(report) };
};

const inspect: Tool = async ({ values: { dataDir, json }, operands }, line) => {
  const inspection = parseInspection(operands);
  const record = await inspected(dataDir, inspection, line);
  line.end();
  return { ok: true, text: json ? JSON.stringify(record) : inspectText(record) };
};

async function inspected(
  dataDir: string,
  inspection: Inspection,
  line: ProgressLine,
): Promise<object> {
  if (inspection.what === 'snapshots') return { snapshots: inspectSnapshots(dataDir) };
  if (inspection.what === 'snapshot') return inspectSnapshot(dataDir, inspection.seq);
  const inspector = new Inspector({ dataDir, onProgress: line.show.bind(line) });
  try {
    return await lookInto(inspector, inspection);
  } finally {
    inspector.close();
  }
}

type Journaled = Exclude<Inspection, { readonly what: 'snapshot' | 'snapshots' }>;

async function lookInto(inspector: Inspector, inspection: Journaled): Promise<object> {
  switch (inspection.what) {
    case 'command':
      return withSignedContent(await inspector.command(inspection.seq));
    case 'fill':
      return { fills: inspector.fills(inspection.seq, inspection.ordinal) };
    case 'order': {
      const order = await inspector.order(inspection.id);
      return { ...order, accepted: withSignedContent(order.accepted) };
    }
    case 'account':
      return inspector.account(inspection.id);
    case 'market':
      return inspector.market(inspection.id);
    case 'journal':
      return inspector.journal();
  }
}

/** An order's evidence in words of its own: the journal has no more than its command leaves out. */
function withSignedContent(inspected: InspectedCommand): InspectedCommand {
  const { command, evidence } = inspected;
  if (command.kind !== 'place_order') return inspected;
  return { ...inspected, evidence: signedContent(command, evidence) ?? evidence };
}

const importRecords: Tool = async ({ values: { dataDir, json }, operands }, line) => {
  const [file = ''] = operands;
  const report = importFile({ dataDir, file, onProgress: line.show.bind(line) });
  const text = json ? JSON.stringify(report) : importText(file, report);
  return { ok: report.refused === 0, text };
};

const sync: Tool = async ({ values: { dataDir, json, from }, version }, line) => {
  const url = parseSource(from ?? '');
  if (url === undefined) throw new UsageError(['--from is missing: the catalog to copy']);
  const folder = new CatalogFolder(dataDir);
  try {
    const userAgent = `${SYNC_USER_AGENT} ${version}`;
    const { signal } = new AbortController();
    const source = new Source({ url, userAgent, pace: DEFAULT_PACE, signal });
    const store: SyncStore = {
      mark: async (name, kind) => folder.mark(name, kind),
      put: async (page) => folder.takePage(page),
    };
    const report = await new SyncRun({
      source,
      store,
      nowMs: Date.now,
      onProgress: (kind, done) => line.show({ what: `${kind} read`, done, total: 0 }),
    }).run();
    const text = json ? JSON.stringify(report) : syncText(report);
    return { ok: report.failure === undefined, text };
  } finally {
    folder.close();
  }
};

const TOOLS = {
  import: importRecords,
  sync,
  verify,
  backup,
  restore,
  inspect,
  compact,
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

export async function runTool(name: ToolName, run: ToolRun): Promise<ToolResult> {
  const line = new ProgressLine(run.progress);
  try {
    return await TOOLS[name](run, line);
  } finally {
    line.end();
  }
}
