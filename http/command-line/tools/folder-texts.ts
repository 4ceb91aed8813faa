/** What `backup`, `restore` and `compact` did, for a person. */
import type { BackupReport, CompactionReport, RestoreReport } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { counted } from './progress.ts';

function endText(seq: number, timeMs: number): string {
  return seq === 0 ? 'no command at all' : `everything up to seq ${seq} of ${isoTime(timeMs)}`;
}

export function backupText(report: BackupReport): string {
  return [
    `${report.file} has ${endText(report.lastSeq, report.lastTimeMs)}.`,
    `${counted(report.bytes)} bytes, SHA-256 ${report.sha256}`,
    ...report.files.map(({ path, bytes }) => `  ${path}: ${counted(bytes)} bytes`),
    'analytics.db is not in it: the first start of the copy makes it again from the journal.',
    'It holds master.secret and admin.token: keep it as secret as the data folder itself.',
    '',
  ].join('\n');
}

export function restoreText({ dataDir, manifest, ...end }: RestoreReport): string {
  const { lastSeq, lastTimeMs } = end;
  const { madeAt, funding } = manifest;
  return [
    `${dataDir} has ${endText(lastSeq, lastTimeMs)}, as it was backed up at ${madeAt}.`,
    `Check it with: node main.ts verify --data ${dataDir}`,
    `Start it with: node main.ts serve --funding ${funding} --data ${dataDir}`,
    'It holds the same keys and secrets: never let both copies serve.',
    '',
  ].join('\n');
}

export function compactText(report: CompactionReport): string {
  const { archive, firstSeq, lastSeq, commands, fills, limitedBy } = report;
  const limit =
    limitedBy === 'snapshots'
      ? 'what came after the last snapshot but one stays'
      : 'what analytics.db does not show yet stays';
  const moved =
    archive === undefined
      ? `Nothing was moved: ${limit}.`
      : `Commands ${firstSeq} to ${lastSeq} (${counted(commands)}, with ${counted(fills)} fills) ` +
        `are in archive/${archive} now; ${limit}.`;
  const leftovers =
    report.leftovers === 0
      ? []
      : [`${counted(report.leftovers)} rows that an earlier compaction left were removed.`];
  return [
    moved,
    ...leftovers,
    `journal.db has ${counted(report.journalBytes)} bytes, ${counted(report.freeBytes)} of them ` +
      'free for what comes.',
    '',
  ].join('\n');
}
