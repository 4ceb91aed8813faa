/** Runs one of the commands that work on a data folder, and returns what to print. */
import { signedContent } from '../../http/orders/order-evidence.ts';
import {
  backupFolder,
  compactJournal,
  type InspectedCommand,
  Inspector,
  importFile,
  inspectSnapshot,
  inspectSnapshots,
  restoreBackup,
  rotateBackups,
  verifyFolder,
} from '../../persistence/index.ts';
import { type Inspection, parseInspection } from '../options/inspection.ts';
import {
  RESTORE_OPTIONS,
  ROTATION_OPTIONS,
  TOOL_OPTIONS,
  type ToolValues,
  VERIFY_OPTIONS,
} from '../options/tool-options.ts';
import { UsageError } from '../parser/parse-arguments.ts';
import type { CommandResult, CommandRun } from '../parser/program-command.ts';
import { resolveOptions } from '../parser/resolve-options.ts';
import { inspectText } from './inspect-text.ts';
import { ProgressLine } from './progress.ts';
import {
  backupText,
  compactText,
  importText,
  restoreText,
  rotationText,
  verifyText,
} from './report-texts.ts';

// Suspends a tool that works beside a live exchange when a terminal asks for it (Ctrl-Z).
//
// Invariant: the tool stops between two pieces of synchronous work, when it holds no lock: an
// exchange that waits too long for the journal's lock would stop. SIGSTOP can't be caught, so each
// piece is also short.

/** The part of `process` that is needed here. */
export interface SuspendTarget {
  readonly pid: number;
  on(signal: 'SIGTSTP', listener: () => void): unknown;
  off(signal: 'SIGTSTP', listener: () => void): unknown;
  kill(pid: number, signal: 'SIGSTOP'): unknown;
}

/** Runs `work`. Node delivers signals between turns of the event loop. */
export async function suspendBetweenTurns<Result>(
  target: SuspendTarget,
  work: () => Promise<Result>,
): Promise<Result> {
  const suspend = (): void => {
    target.kill(target.pid, 'SIGSTOP');
  };
  target.on('SIGTSTP', suspend);
  try {
    return await work();
  } finally {
    target.off('SIGTSTP', suspend);
  }
}

export type ToolRun = Pick<CommandRun, 'sources' | 'operands' | 'version' | 'progress'>;

interface ToolContext {
  readonly values: ToolValues;
  /** The first operand. */
  readonly file: string;
  readonly operands: readonly string[];
  readonly version: string;
  readonly line: ProgressLine;
}

type Tool = (context: ToolContext) => Promise<CommandResult>;

function resultOf<Report extends object>(
  report: Report,
  { json }: ToolValues,
  textOf: (report: Report) => string,
  ok = true,
): CommandResult {
  return { ok, text: json ? JSON.stringify(report) : textOf(report) };
}

async function verify({ values, line }: ToolContext): Promise<CommandResult> {
  const { dataDir, replica } = values;
  const report = await verifyFolder({ dataDir, replica, onProgress: line.show.bind(line) });
  return resultOf(report, values, (verified) => verifyText(dataDir, verified), report.ok);
}

async function backup({ values, file, version, line }: ToolContext): Promise<CommandResult> {
  const { dataDir } = values;
  const onProgress = line.show.bind(line);
  const report = await backupFolder({ dataDir, file, version, nowMs: Date.now(), onProgress });
  return resultOf(report, values, backupText);
}

async function restore({ values, file, line }: ToolContext): Promise<CommandResult> {
  const { dataDir, toSeq, toTime } = values;
  if (toSeq !== undefined && toTime !== undefined) {
    throw new UsageError(['--to-seq and --to-time exclude each other']);
  }
  const report = await restoreBackup({
    dataDir,
    file,
    onProgress: line.show.bind(line),
    ...(toSeq !== undefined && { point: { seq: toSeq } }),
    ...(toTime !== undefined && { point: { timeMs: Date.parse(toTime) } }),
  });
  return resultOf(report, values, restoreText);
}

async function rotate({ values, file, version, line }: ToolContext): Promise<CommandResult> {
  const { dataDir, keep = 1 } = values;
  const onProgress = line.show.bind(line);
  const nowMs = Date.now();
  const report = await rotateBackups({ dataDir, folder: file, keep, version, nowMs, onProgress });
  return resultOf(report, values, rotationText);
}

async function compact({ values, line }: ToolContext): Promise<CommandResult> {
  const { dataDir } = values;
  const onProgress = (done: number, total: number): void =>
    line.show({ what: 'commands moved', done, total });
  const report = await suspendBetweenTurns(process, () => compactJournal({ dataDir, onProgress }));
  return resultOf(report, values, compactText);
}

async function inspect({ values, operands, line }: ToolContext): Promise<CommandResult> {
  const record = await inspected(values.dataDir, parseInspection(operands), line);
  line.end();
  return resultOf(record, values, inspectText);
}

async function inspected(
  dataDir: string,
  inspection: Inspection,
  line: ProgressLine,
): Promise<object> {
  if (inspection.what === 'snapshots') return { snapshots: inspectSnapshots(dataDir) };
  if (inspection.what === 'snapshot') return inspectSnapshot(dataDir, inspection.seq);
  const inspector = new Inspector({ dataDir, onProgress: line.show.bind(line) });
  try {
    return await inspectJournal(inspector, inspection);
  } finally {
    inspector.close();
  }
}

type JournalInspection = Exclude<Inspection, { readonly what: 'snapshot' | 'snapshots' }>;

async function inspectJournal(
  inspector: Inspector,
  inspection: JournalInspection,
): Promise<object> {
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

/** Adds the whole signed order. The journal stores only the parts that the command lacks. */
function withSignedContent(inspected: InspectedCommand): InspectedCommand {
  const { command, evidence } = inspected;
  if (command.kind !== 'place_order') return inspected;
  return { ...inspected, evidence: signedContent(command, evidence) ?? evidence };
}

async function importRecords({ values, file, line }: ToolContext): Promise<CommandResult> {
  const { dataDir } = values;
  const report = importFile({ dataDir, file, onProgress: line.show.bind(line) });
  return resultOf(report, values, (done) => importText(file, done), report.refused === 0);
}

const TOOLS = {
  import: importRecords,
  verify,
  backup,
  restore,
  'rotate-backups': rotate,
  inspect,
  compact,
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

function optionsOf(name: ToolName) {
  if (name === 'verify') return VERIFY_OPTIONS;
  if (name === 'rotate-backups') return ROTATION_OPTIONS;
  return name === 'restore' ? RESTORE_OPTIONS : TOOL_OPTIONS;
}

/** Throws `UsageError`, and an Error whose message is complete for work that failed. */
export async function runTool(name: ToolName, run: ToolRun): Promise<CommandResult> {
  const { sources, operands, version, progress } = run;
  const { values } = resolveOptions(optionsOf(name), sources);
  const [file = ''] = operands;
  const line = new ProgressLine(progress);
  try {
    return await TOOLS[name]({ values, file, operands, version, line });
  } finally {
    line.end();
  }
}
