/**
 * Records as text for a person: one line for each value, nested records indented. The unit at the
 * end of a name decides the form: `priceTicks` is shown as a decimal with the raw number beside it,
 * times are shown in UTC.
 *
 * Invariant: no value is left out.
 */
import { lots, micros, type Ticks } from '../../engine/model/index.ts';
import { isoTime, lotsText, microsText, ticksText } from '../../http/codec/index.ts';

const INDENT = '  ';
const PERCENT_BPS = 100;

export function inspectText(record: object): string {
  return `${linesOf(record, '').join('\n')}\n`;
}

function linesOf(record: object, margin: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => fieldLines(name, value, margin));
}

/** One field; the records of a list stand below their index. */
function fieldLines(name: string, value: unknown, margin: string): string[] {
  if (typeof value !== 'object' || value === null) {
    return [`${margin}${name}: ${valueText(name, value)}`];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${margin}${name}: none`];
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return [`${margin}${name}: ${value.join(', ')}`];
  }
  return [`${margin}${name}:`, ...linesOf(value, margin + INDENT)];
}

function valueText(name: string, value: unknown): string {
  if (typeof value === 'number') return numberText(name, value);
  return value === '' ? "''" : String(value);
}

function signed(value: number, text: (size: number) => string): string {
  return value < 0 ? `-${text(-value)}` : text(value);
}

function numberText(name: string, value: number): string {
  if (name.endsWith('Micros')) {
    return `${signed(value, (size) => microsText(micros(size)))} (${value} micros)`;
  }
  if (name === 'lots' || name.endsWith('Lots')) {
    return `${signed(value, (size) => lotsText(lots(size)))} tokens (${value} lots)`;
  }
  if (name.endsWith('Ticks') && value >= 0 && value <= 10_000) {
    // Safe: the value is a price.
    return `${ticksText(value as Ticks)} (${value} ticks)`;
  }
  if (name.endsWith('Bps')) return `${value / PERCENT_BPS}% (${value} basis points)`;
  // A duration is always smaller than the number of milliseconds since the epoch.
  const isTime = name.endsWith('Ms') && value > 1_000_000_000_000;
  if (isTime) return `${isoTime(value)} (${value} ms)`;
  return name.endsWith('Ms') && value > 0 ? `${value} ms` : String(value);
}
