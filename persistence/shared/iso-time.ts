/**
 * The one reader of times that are written as ISO 8601, in bodies, queries and records.
 *
 * Bound: the years 0 to 9999, also in UTC: others have no text of the usual form, which sorts.
 */

/** The last millisecond of the year 9999. */
export const LATEST_MS = 253_402_300_799_999;
const EARLIEST_MS = -62_167_219_200_000;

const ISO_TIME =
  /^(\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since the epoch; undefined for other texts, and for days that do not exist. */
export function isoTimeMs(text: string): number | undefined {
  const [, date, day] = ISO_TIME.exec(text) ?? [];
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs) || timeMs < EARLIEST_MS || timeMs > LATEST_MS) return undefined;
  // Date.parse alone would read 30 February as 2 March.
  const isDay = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  return isDay ? timeMs : undefined;
}
