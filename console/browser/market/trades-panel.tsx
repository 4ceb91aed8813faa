/** The trades of the market as they happen, each in the outcome that its taker traded. */

import { useSignal } from '@preact/signals';
import { Empty, localTime, SideText, Skeleton, set, Table } from '../kit/index.ts';
import { type TapeLine, tapeOf } from '../trading/tape.ts';
import { centsText, shortMoney, tokensText } from '../trading/units.ts';
import type { Desk } from './use-sending.ts';

/** Each trade draws the list again: a lively market would be slow with all that are kept. */
const FEW = 50;
const TIME_OF_DAY = 11;

/** The time of day; with its date if that is not today. */
function timeText(timeMs: number): string {
  const text = localTime(timeMs);
  const isToday = text.slice(0, TIME_OF_DAY) === localTime(Date.now()).slice(0, TIME_OF_DAY);
  return isToday ? text.slice(TIME_OF_DAY) : text;
}

export function TradesPanel({ desk: { view, rules } }: { desk: Desk }) {
  const { outcomes } = rules.value;
  const isWhole = useSignal(false);
  const kept = tapeOf(view.trades.value);
  const lines = isWhole.value ? kept : kept.slice(0, FEW);
  const history = view.history.value;
  return (
    <>
      {history === 'failed' && (
        <p class="stale" role="status">
          Earlier trades could not be loaded.{' '}
          <button type="button" class="link" onClick={() => view.loadHistory()}>
            Load them
          </button>
        </p>
      )}
      {lines.length === 0 && history !== 'loaded' && history !== 'failed' ? (
        <Skeleton />
      ) : lines.length === 0 ? (
        <Empty>Nobody has traded in this market yet.</Empty>
      ) : (
        <Table<TapeLine>
          label="Trades"
          rows={lines}
          keyOf={({ key }) => key}
          columns={[
            ['Time', ({ timeMs }) => <span class="number">{timeText(timeMs)}</span>],
            ['Taker', ({ side, outcome }) => <SideText side={side} outcome={outcomes[outcome]} />],
            ['Price', ({ lots, cashMicros }) => centsText(cashMicros / lots), 'number'],
            ['Tokens', ({ lots }) => tokensText(lots), 'number'],
            ['Cash', ({ cashMicros }) => shortMoney(cashMicros), 'number'],
          ]}
          empty=""
        />
      )}
      {kept.length > lines.length && (
        <p>
          <button type="button" onClick={() => set(isWhole, true)}>
            Show {kept.length - lines.length} earlier trades
          </button>
        </p>
      )}
    </>
  );
}
