/**
 * The command `replay`: plays a recording of a market into a market of a running exchange.
 *
 * Bound: one line of the file and the levels of one book are in memory.
 */
import { createReadStream } from 'node:fs';
import type { CommandResult, CommandRun } from '../../cli/parser/program-command.ts';
import { resolveOptions } from '../../cli/parser/resolve-options.ts';
import { readEnvelope } from './envelope.ts';
import { FaultList, type FaultReason, type ReplayFault, ReplayStopped } from './faults.ts';
import { openMarket } from './open-market.ts';
import { Pace, type PaceOptions, REAL_TIME } from './pace.ts';
import { type PlayedCounts, Player } from './player.ts';
import type { RecordedBook } from './recorded-book.ts';
import { RecordedMarket } from './recorded-market.ts';
import { MessageReader, type RecordedMessage } from './recorded-message.ts';
import { type RecordingLine, recordingChunks, recordingLines } from './recording-lines.ts';
import { REPLAY_OPTIONS } from './replay-options.ts';
import { planReplay, type ReplayPlan } from './replay-plan.ts';

/** What a replay did, as a record for programs and as text for a person. */
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

const NO_COUNTS: PlayedCounts = { levels: 0, placed: 0, cancelled: 0, trades: 0, tickChanges: 0 };

export interface ReplayHooks extends Pick<PaceOptions, 'nowMs' | 'sleep'> {
  /** Told each thing that can't be replayed, when it occurs. */
  readonly tell: (sentence: string) => void;
  /** Called after each message of the market, with the book as recorded. */
  readonly onPlayed?: (line: number, book: RecordedBook) => Promise<void>;
}

interface Stage {
  readonly conditionId: string;
  readonly recorded: RecordedMarket;
  readonly player: Player;
}

export class Replay {
  readonly #plan: ReplayPlan;
  readonly #hooks: ReplayHooks;
  readonly #faults: FaultList;
  readonly #reader: MessageReader;
  readonly #pace: Pace;
  #stage: Stage | undefined;
  #messages = 0;
  #otherMarkets = 0;

  constructor(plan: ReplayPlan, hooks: ReplayHooks) {
    const { speed, longestPauseMs } = plan;
    this.#plan = plan;
    this.#hooks = hooks;
    this.#faults = new FaultList({ isStrict: plan.isStrict, tell: hooks.tell });
    this.#reader = new MessageReader(this.#faults);
    this.#pace = new Pace({ speed, longestPauseMs, ...hooks });
  }

  /** Plays all lines. Throws an Error whose message is complete if the exchange can't be used. */
  async run(lines: AsyncIterable<RecordingLine>): Promise<ReplayReport> {
    const { nowMs } = this.#hooks;
    const startMs = nowMs();
    let stopped = '';
    try {
      // Whether the exchange can be used shows before the file is read, where the market is known.
      if (this.#plan.market !== undefined) await this.#open(this.#plan.market);
      for await (const line of lines) await this.#playLine(line);
    } catch (error) {
      if (!(error instanceof ReplayStopped)) throw error;
      stopped = error.message;
    }
    return {
      file: this.#plan.file,
      market: this.#stage?.conditionId ?? '',
      messages: this.#messages,
      otherMarkets: this.#otherMarkets,
      played: this.#stage?.player.counts ?? NO_COUNTS,
      rounded: this.#reader.rounded,
      skipped: this.#faults.counts(),
      faults: this.#faults.kept,
      stopped,
      seconds: (nowMs() - startMs) / 1_000,
    };
  }

  async #open(conditionId: string): Promise<Stage> {
    const { recordedMarket, yesAsset } = this.#plan;
    const { market, refusals } = await openMarket(this.#plan, conditionId, this.#hooks.sleep);
    const { tokenIds, tickTicks } = market;
    const faults = this.#faults;
    const options = { tokenIds, tickTicks, recordedMarket, yesAsset, faults };
    const recorded = new RecordedMarket(options);
    this.#stage = { conditionId, recorded, player: new Player(market, recorded, faults) };
    for (const refusal of refusals) faults.add('terms_refused', refusal);
    return this.#stage;
  }

  /** Opens the market of the exchange that has the condition id of the recorded one. */
  async #openRecorded(market: string): Promise<Stage> {
    const conditionId = this.#plan.recordedMarket ?? market;
    if (conditionId !== '') return this.#open(conditionId);
    const { flag } = REPLAY_OPTIONS.market;
    throw new Error(`The recording does not name its market: give ${flag}`);
  }

  async #playLine({ number, text }: RecordingLine): Promise<void> {
    this.#faults.beginLine(number);
    if (text === undefined) {
      this.#faults.add('line_too_long', 'the line is too long');
      return;
    }
    const envelope = readEnvelope(text);
    if (envelope === undefined) {
      this.#faults.add('line_malformed', 'the line is not JSON of a message');
      return;
    }
    for (const json of envelope.messages) {
      const message = this.#reader.read(json);
      if (message === undefined) continue;
      await this.#playMessage(message, envelope.receivedMs ?? message.timeMs);
      const book = this.#stage?.recorded.book;
      if (book !== undefined) await this.#hooks.onPlayed?.(number, book);
    }
  }

  async #playMessage(message: RecordedMessage, dueMs: number | undefined): Promise<void> {
    if (message.kind === 'other') return;
    const stage = this.#stage ?? (await this.#openRecorded(message.market));
    if (stage.recorded.isOther(message)) {
      this.#otherMarkets += 1;
      return;
    }
    this.#messages += 1;
    await this.#pace.wait(dueMs);
    for (const step of stage.recorded.take(message)) await stage.player.play(step);
  }
}

/** The command: returns the text to print, and whether all was replayed. Throws `UsageError`. */
export async function runReplay({
  sources,
  operands,
  readText,
  tell,
}: Pick<CommandRun, 'sources' | 'operands' | 'readText' | 'tell'>): Promise<CommandResult> {
  const { values } = resolveOptions(REPLAY_OPTIONS, sources);
  const [file = ''] = operands;
  const plan = planReplay(values, file, readText);
  const replay = new Replay(plan, { ...REAL_TIME, tell });
  const report = await replay.run(recordingLines(recordingChunks(file, createReadStream)));
  const text = values.json ? JSON.stringify(report) : replayText(report);
  return { text, ok: isComplete(report) };
}
