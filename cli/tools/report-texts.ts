/** The report of each tool as text for a person. */

import { isoTime } from '../../http/codec/index.ts';
import type {
  BackupReport,
  CompactionReport,
  PageReport,
  RecordCounts,
  RestoreReport,
  RotationReport,
  VerifyReport,
} from '../../persistence/index.ts';
import { PROGRAM } from '../options/commands.ts';
import { counted } from './progress.ts';

/** How many refusals and notes are printed; `--json` has more. */
export const PRINTED = 20;

export function verifyText(dataDir: string, report: VerifyReport): string {
  const { findings, notes, seq, timeMs, stateHash, fills, orders, snapshots, ms } = report;
  const rate = ms > 0 ? Math.round((1_000 * seq) / ms) : 0;
  const end = seq > 0 ? `; the last is seq ${seq} of ${isoTime(timeMs)}` : '';
  const verdict =
    findings.length === 0
      ? `Good: everything in ${dataDir} agrees with its journal.`
      : `WRONG: ${counted(findings.length)} findings (only the first of each kind is shown).`;
  return [
    `${counted(seq)} commands were replayed (${counted(rate)}/s)${end}.`,
    `${counted(orders)} orders were accepted; they made ${counted(fills)} fills.`,
    `${counted(snapshots)} snapshots were compared with the replay.`,
    `State hash ${stateHash}`,
    ...notes.map((note) => `Note: ${note}.`),
    ...findings.map(({ kind, sentence }) => `Wrong (${kind}): ${sentence}.`),
    verdict,
    '',
  ].join('\n');
}

function endText(seq: number, timeMs: number): string {
  return seq === 0 ? 'no commands' : `every command up to seq ${seq} of ${isoTime(timeMs)}`;
}

export function backupText(report: BackupReport): string {
  return [
    `${report.file} contains ${endText(report.lastSeq, report.lastTimeMs)}.`,
    `${counted(report.bytes)} bytes, SHA-256 ${report.sha256}`,
    ...report.files.map(({ path, bytes }) => `  ${path}: ${counted(bytes)} bytes`),
    'It leaves out analytics.db, which the first start of a copy rebuilds from the journal.',
    'It contains master.secret and admin.token: keep it as secret as the data folder.',
    '',
  ].join('\n');
}

export function restoreText({ dataDir, manifest, lastSeq, lastTimeMs }: RestoreReport): string {
  const { madeAt, funding } = manifest;
  const cut =
    lastSeq === manifest.lastSeq
      ? []
      : [`It leaves out the commands ${lastSeq + 1} to ${manifest.lastSeq} of the backup.`];
  return [
    `${dataDir} contains ${endText(lastSeq, lastTimeMs)}, from the backup of ${madeAt}.`,
    ...cut,
    `Check it with: ${PROGRAM} verify --data ${dataDir}`,
    // With ledger funding, defaults would open dev accounts, whose keys are public.
    funding === 'paper'
      ? `Start it with: ${PROGRAM} serve --data ${dataDir}`
      : `Start it with all settings of the original, and --data ${dataDir}`,
    'It has the same keys and secrets as the original: never run both.',
    '',
  ].join('\n');
}

export function rotationText(report: RotationReport): string {
  const { file, lastSeq, lastTimeMs, bytes, sha256, stateHash, kept, removed } = report;
  return [
    `${file} contains ${endText(lastSeq, lastTimeMs)}. It was restored and verified.`,
    `${counted(bytes)} bytes, SHA-256 ${sha256}`,
    `State hash ${stateHash}`,
    `Backups in the folder: ${counted(kept.length)}; removed: ${counted(removed.length)}`,
    ...removed.map((name) => `  ${name} was removed.`),
    '',
  ].join('\n');
}

export function compactText(report: CompactionReport): string {
  const { archive, firstSeq, lastSeq, commands, fills, limitedBy, leftovers } = report;
  const limit =
    limitedBy === 'snapshots'
      ? 'commands after the second newest snapshot stay in the journal'
      : 'commands that analytics.db does not contain yet stay in the journal';
  const moved =
    archive === undefined
      ? `Nothing was moved: ${limit}.`
      : `Commands ${firstSeq} to ${lastSeq} (${counted(commands)}, with ${counted(fills)} fills) ` +
        `are now in archive/${archive}; ${limit}.`;
  const removed = `${counted(leftovers)} rows that an earlier compaction left were removed.`;
  return [
    moved,
    ...(leftovers === 0 ? [] : [removed]),
    `journal.db has ${counted(report.journalBytes)} bytes, of which ` +
      `${counted(report.freeBytes)} are free for new commands.`,
    '',
  ].join('\n');
}

export function countLines(counts: Readonly<Partial<Record<string, RecordCounts>>>): string[] {
  return Object.entries(counts).flatMap(([kind, one]) =>
    one === undefined
      ? []
      : [
          `${kind}: ${counted(one.added)} added, ${counted(one.updated)} updated, ` +
            `${counted(one.unchanged)} unchanged, ${counted(one.refused)} refused`,
        ],
  );
}

export function refusalLines(
  refusals: readonly { readonly sentence: string }[],
  refused: number,
): string[] {
  const lines = refusals.slice(0, PRINTED).map(({ sentence }) => `Refused: ${sentence}.`);
  const left = refused - lines.length;
  return left > 0 ? [...lines, `and ${counted(left)} more.`] : lines;
}

export function importText(file: string, report: PageReport): string {
  const { counts, refusals, refused, ownEvents } = report;
  const verdict =
    refused === 0
      ? `All of ${file} is in the catalog.`
      : `NOTHING of ${file} was imported: ${counted(refused)} refused. Without refusals it ` +
        'would have been:';
  const ofOwn = `Note: ${counted(ownEvents)} events were made for markets that name none.`;
  const notes = ownEvents === 0 ? [] : [ofOwn];
  return [verdict, ...countLines(counts), ...notes, ...refusalLines(refusals, refused), ''].join(
    '\n',
  );
}
