/**
 * Records of the explorer as labelled fields. An amount comes twice from the exchange, as a whole
 * number whose name ends in its unit, and as a decimal beside it; here both are one field.
 *
 * Invariant: no value of a record is left out.
 */

/**
 * The units, by the last word of a field's name: the last word of the name of the decimal beside
 * it, and the label of a number without another name.
 */
const UNITS = {
  ticks: { beside: '', label: 'Price' },
  lots: { beside: 'tokens', label: 'Size' },
  micros: { beside: 'cash', label: 'Cash' },
  ms: { beside: 'time', label: 'Time' },
} as const;

export type Unit = keyof typeof UNITS;

export interface ShownField {
  readonly name: string;
  readonly label: string;
  readonly value: unknown;
  /** Present if `value` is a whole number of a unit. */
  readonly unit?: Unit;
  /** The decimal or the time beside a whole number; undefined for a duration, or no time. */
  readonly beside?: string;
}

function isUnit(word: string): word is Unit {
  return Object.hasOwn(UNITS, word);
}

/** "taker_fee_bps" is "Taker fee bps", "closed_seq" is "Closed by command". */
function labelOf(words: readonly string[]): string {
  const text = words
    .join(' ')
    .replace(/^seq$/, 'command')
    .replace(/^(opened|accepted|closed|created) seq$/, '$1 by command')
    .replace(/\bapi\b/, 'API');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of the decimal beside a whole number: that of `fee_micros` is `fee_cash`. */
function nameBeside(words: readonly string[], unit: Unit): string {
  const isTime = words.length === 1 && words[0] === 'time' && unit === 'ms';
  return [...words, isTime ? '' : UNITS[unit].beside].filter((word) => word !== '').join('_');
}

export function fieldsOf(record: Readonly<Record<string, unknown>>): readonly ShownField[] {
  const paired = new Set<string>();
  const fields = Object.entries(record).map(([name, value]): ShownField => {
    const words = name.split('_');
    const unit = words.pop() ?? '';
    if (typeof value !== 'number' || !isUnit(unit)) {
      return { name, label: labelOf(name.split('_')), value };
    }
    const label = words.length === 0 ? UNITS[unit].label : labelOf(words);
    const besideName = nameBeside(words, unit);
    if (!Object.hasOwn(record, besideName)) return { name, label, value, unit };
    paired.add(besideName);
    const beside = record[besideName];
    return { name, label, value, unit, ...(typeof beside === 'string' ? { beside } : {}) };
  });
  return fields.filter(({ name }) => !paired.has(name));
}

/** The page of what a field names, as segments of its address; undefined for no page. */
export function segmentsOf(name: string, value: unknown): readonly string[] | undefined {
  const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1];
  if (kind === undefined) return undefined;
  const text = String(value);
  return FORMS[kind].test(text) ? ['explorer', kind, text] : undefined;
}

export type RecordKind = 'command' | 'order' | 'trade' | 'account' | 'market' | 'token';

/** The kinds of fields, by their names in commands, events and messages. */
const KINDS: readonly (readonly [RegExp, RecordKind])[] = [
  [/(^|_)seq$/, 'command'],
  [/(^|_)order_ids?$/, 'order'],
  [/^trade_id$/, 'trade'],
  [/^condition_ids?$/, 'market'],
  [/^(token_ids?|tokenId)$/, 'token'],
  [/(^|_)(account|owner|address|maker|signer|taker)$/, 'account'],
];

/** What the id of a record looks like. */
export const FORMS: Readonly<Record<RecordKind, RegExp>> = {
  command: /^[1-9]\d{0,14}$/,
  order: /^0x[0-9a-f]{64}$/i,
  trade: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  account: /^0x(?!0{40})[0-9a-f]{40}$/i,
  market: /^0x[0-9a-f]{64}$/i,
  token: /^\d{16,78}$/,
};
