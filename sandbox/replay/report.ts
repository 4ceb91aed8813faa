/** What a replay did, as a record for programs and as text for a person. */
import type { FaultReason, ReplayFault } from './faults.ts';
import type { PlayedCounts } from './player.ts';

export interface ReplayReport {
  readonly file: string;
  /** '' if there was nothing to replay. */
  readonly market: string;
  /** Messages of the market that were played, and those that say nothing about its book. */
  readonly messages: number;
  readonly otherMarkets: number;
  readonly played: PlayedCounts;
  /** Sizes with more than two decimals, which were rounded down. */
  readonly rounded: number;
  /** How much could not be replayed, by reason. */
  readonly skipped: Partial<Record<FaultReason, number>>;
  /** The first of what could not be replayed. */
  readonly faults: readonly ReplayFault[];
  /** Why it ended before the end of the file; '' if it did not. */
  readonly stopped: string;
  readonly seconds: number;
}

/** Whether the whole recording was replayed. */
export function isComplete({ market, skipped, stopped }: ReplayReport): boolean {
  return market !== '' && stopped === '' && Object.keys(skipped).length === 0;
}

function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
}

export function replayText(report: ReplayReport): string {
  const { file, market, messages, otherMarkets, played, rounded, skipped, stopped } = report;
  if (market === '') return `${file} has no message of a market: nothing was replayed.`;
  const reasons = Object.entries(skipped).map(([reason, count]) => `  ${reason}: ${count}`);
  return [
    `${counted(messages, 'message')} of ${file} in ${report.seconds.toFixed(1)} s, into ${market}.`,
    `${counted(played.levels, 'level')} set by ${counted(played.placed, 'order')} and ` +
      `${counted(played.cancelled, 'cancel')}; ${counted(played.trades, 'trade')}; ` +
      `${counted(played.tickChanges, 'change')} of the price step.`,
    ...(otherMarkets > 0
      ? [`${counted(otherMarkets, 'message')} of other markets left out (--recorded-market).`]
      : []),
    ...(rounded > 0 ? [`${counted(rounded, 'size')} rounded down to 0.01 token.`] : []),
    ...(reasons.length > 0 ? ['Not replayed, by reason:', ...reasons] : []),
    ...(stopped === '' ? [] : [`It ${stopped}.`]),
  ].join('\n');
}
