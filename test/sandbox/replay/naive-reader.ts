// Reads a recording in the plainest way: what the YES book is after each line. It knows the shapes
// that RecordedVenue writes, and shares no code with the replay.
import { type Levels, NO, type RecordedLine } from './recorded-venue.ts';

interface Level {
  readonly asset_id?: string;
  readonly price: string;
  readonly size: string;
  readonly side?: string;
}

interface Message {
  readonly event_type: string;
  readonly asset_id?: string;
  readonly bids?: readonly Level[];
  readonly asks?: readonly Level[];
  readonly changes?: readonly Level[];
  readonly price_changes?: readonly Level[];
}

interface Line extends Message {
  readonly msg?: Message | readonly Message[];
  readonly raw?: string;
}

function messagesOf(text: string): readonly Message[] {
  // Safe: the recordings of the tests have these shapes.
  const line = JSON.parse(text) as Line;
  const frame = line.raw === undefined ? (line.msg ?? line) : (JSON.parse(line.raw) as Message);
  return [frame].flat();
}

/** The lines of a recording with the levels after each. */
export function linesOf(recording: string): readonly RecordedLine[] {
  const bids = new Map<number, number>();
  const asks = new Map<number, number>();
  const set = ({ price, size }: Level, isNo: boolean, isBuy: boolean): void => {
    const ticks = Math.round(Number(price) * 10_000);
    const lots = Math.floor(Number((Number(size) * 100).toFixed(6)));
    const side = isBuy === isNo ? asks : bids;
    const place = isNo ? 10_000 - ticks : ticks;
    if (lots === 0) side.delete(place);
    else side.set(place, lots);
  };
  const levels = (): Levels => ({ bids: new Map(bids), asks: new Map(asks) });
  return recording
    .trimEnd()
    .split('\n')
    .map((text) => {
      for (const message of messagesOf(text)) {
        const isNo = message.asset_id === NO;
        if (message.event_type === 'book') {
          bids.clear();
          asks.clear();
          for (const level of message.bids ?? []) set(level, isNo, true);
          for (const level of message.asks ?? []) set(level, isNo, false);
        }
        for (const change of message.changes ?? message.price_changes ?? []) {
          const isOfNo = (change.asset_id ?? message.asset_id) === NO;
          set(change, isOfNo, change.side === 'BUY');
        }
      }
      return { text, levels: levels() };
    });
}
