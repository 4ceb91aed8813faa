/**
 * Which markets depend on one hidden variable: the outcomes of a neg-risk event, and the rungs of a
 * ladder, such as "above $150,000" and "above $200,000", or "by March" and "by June".
 *
 * A catalog does not mark ladders. Markets of an event are one if their questions differ only in
 * numbers and months, the title within the group names a number or a date, and the question says
 * which way the chance goes.
 */
import type { MarketEntry } from '../../http/views/index.ts';

/** What the catalog says of a market, as far as it matters here. */
export interface LadderTexts {
  readonly question: string;
  /** Such as "$150,000"; '' for a market that stands alone. */
  readonly groupItemTitle: string;
  /** ISO 8601 in UTC; null if the catalog does not know. */
  readonly endDate: string | null;
}

export interface Rung {
  /** Markets with the same name have one hidden variable. */
  readonly group: string;
  /** The rung with the least rank is the likeliest. */
  readonly rank: number;
}

const MONTHS = /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*/gi;
const NUMBER = /(-?\d[\d,]*(?:\.\d+)?)\s*(k|thousand|m|million|b|bn|billion|t|trillion)?\b/i;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };
const YEAR = /^(?:19|20)\d\d$/;
const FALLS = /\b(?:above|over|more|least|greater|exceeds?|hits?|reach(?:es)?|higher)\b/i;
const RISES = /\b(?:below|under|less|fewer|most|lower|dips?)\b/i;
const BY_DATE = /\b(?:by|before|until)\b/i;

function numberIn(text: string): number | undefined {
  const [found, digits = '', unit = ''] = NUMBER.exec(text) ?? [];
  if (found === undefined) return undefined;
  const first = unit.toLowerCase().startsWith('th') ? 'k' : (unit[0]?.toLowerCase() ?? '');
  return Number(digits.replaceAll(',', '')) * (SCALES[first] ?? 1);
}

/** The rank of a rung; undefined for a market that is no rung. */
function rankOf({ question, groupItemTitle: title, endDate }: LadderTexts): number | undefined {
  const isDate = title.search(MONTHS) >= 0 || YEAR.test(title);
  if (isDate) {
    return BY_DATE.test(question) && endDate !== null ? -Date.parse(endDate) : undefined;
  }
  const value = numberIn(title);
  if (value === undefined) return undefined;
  if (FALLS.test(question)) return RISES.test(question) ? undefined : value;
  return RISES.test(question) ? -value : undefined;
}

/** Where a market belongs. `place` is its position among the markets of the exchange. */
export function rungOf(entry: MarketEntry, texts: LadderTexts | undefined, place: number): Rung {
  const { conditionId, eventId, negRisk } = entry;
  if (negRisk) return { group: `event ${eventId}`, rank: place };
  const rank = texts === undefined ? undefined : rankOf(texts);
  if (texts === undefined || rank === undefined) return { group: conditionId, rank: 0 };
  const { question, groupItemTitle } = texts;
  const same = question
    .replace(groupItemTitle, '')
    .replaceAll(MONTHS, '')
    .replaceAll(/[\d.,]/g, '');
  return { group: `ladder ${eventId} ${same}`, rank };
}
