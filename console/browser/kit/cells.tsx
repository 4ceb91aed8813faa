/** Sides, pictures and moments, as cells of tables and lines of text show them. */

const STEPS = [
  [60, 'second', 1],
  [3_600, 'minute', 60],
  [86_400, 'hour', 3_600],
  [30 * 86_400, 'day', 86_400],
  [365 * 86_400, 'month', 30 * 86_400],
  [Number.POSITIVE_INFINITY, 'year', 365 * 86_400],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** "3 min. ago", "in 2 days". */
export function fromNow(timeMs: number, nowMs = Date.now()): string {
  const seconds = (timeMs - nowMs) / 1000;
  const [, unit, size] = STEPS.find(([limit]) => Math.abs(seconds) < limit) ?? STEPS[5];
  return relative.format(Math.round(seconds / size), unit);
}

/** The moment in the browser's time zone, to the second. */
export function localTime(timeMs: number): string {
  return new Date(timeMs).toLocaleString('sv-SE');
}

/** An ISO 8601 time on one line, in the browser's time zone. */
export function LocalTime({ time }: { time: string }) {
  return <span class="number">{localTime(Date.parse(time))}</span>;
}

/** A moment, relative, with the whole of it on hover. */
export function Moment({ timeMs }: { timeMs: number }) {
  return (
    <time dateTime={new Date(timeMs).toISOString()} title={localTime(timeMs)}>
      {fromNow(timeMs)}
    </time>
  );
}

/** A day as a date, such as the end of a market, with its time on hover. */
export function Day({ timeMs }: { timeMs: number }) {
  const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return (
    <time dateTime={new Date(timeMs).toISOString()} title={localTime(timeMs)} class="number">
      {new Date(timeMs).toLocaleDateString('en-US', date)}
    </time>
  );
}

/** "Buy Yes", in the color of its side. */
export function SideText({ side, outcome }: { side: 'BUY' | 'SELL'; outcome: string }) {
  return (
    <span class={side === 'BUY' ? 'buy-text' : 'sell-text'}>
      {side === 'BUY' ? 'Buy' : 'Sell'} {outcome}
    </span>
  );
}

/** Pictures come from this origin only, whatever a record says. */
export function pictureOf(image: string | undefined): string {
  return image !== undefined && /^\/images\/[\w.-]+$/.test(image) ? image : '';
}

/** The picture of an event, which this exchange serves; without one, a place of the same size. */
export function Picture({ path, size }: { path: string; size: number }) {
  const length = `${size}px`;
  if (path === '') return <span class="picture" style={{ width: length, height: length }} />;
  // The page is at `ui/` below the root of the exchange.
  return <img class="picture" src={`..${path}`} width={size} height={size} alt="" />;
}
