/** What `verify` found, for a person. */
import type { VerifyReport } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { counted } from './progress.ts';

export function verifyText(dataDir: string, report: VerifyReport): string {
  const { findings, notes, seq, timeMs, stateHash, fills, orders, snapshots, ms } = report;
  const rate = ms > 0 ? Math.round((1_000 * seq) / ms) : 0;
  const end = seq > 0 ? `; the last is seq ${seq} of ${isoTime(timeMs)}` : '';
  const verdict =
    findings.length === 0
      ? `Good: all that ${dataDir} holds is what its journal makes of it.`
      : `WRONG: ${counted(findings.length)} findings, the first of each kind.`;
  return [
    `${counted(seq)} commands were replayed (${counted(rate)}/s)${end}.`,
    `They made ${counted(fills)} fills, of ${counted(orders)} orders that were accepted.`,
    `${counted(snapshots)} snapshots were compared with it.`,
    `State hash ${stateHash}`,
    ...notes.map((note) => `Note: ${note}.`),
    ...findings.map(({ kind, sentence }) => `Wrong (${kind}): ${sentence}.`),
    verdict,
    '',
  ].join('\n');
}
