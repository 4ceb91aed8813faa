/**
 * Records for a person: one line a value, what belongs to it indented. Names end in their unit, so
 * that is where its form comes from: the decimal of the wire, and the raw number beside it. Times
 * are UTC. Invariant: nothing is left out.
 */
import { lots, micros, type Ticks } from '../../../engine/model/index.ts';
import { isoTime, lotsText, microsText, ticksText } from '../../codec/index.ts';

const INDENT = '  ';
const PERCENT_BPS = 100;

export function inspectText(record: object): string {
  return `${linesOf(record, '').join('\n')}\n`;
}

function linesOf(record: object, margin: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => fieldLines(name, value, margin));
}

/** One field; a list of records has a line for each, under its number. */
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
    return `${ticksText(value as Ticks)} (${value} ticks)`; // in the bounds of the table
  }
  if (name.endsWith('Bps')) return `${value / PERCENT_BPS}% (${value} basis points)`;
  // What is a length of time, not a moment, is short.
  const isMoment = name.endsWith('Ms') && value > 1_000_000_000_000;
  if (isMoment) return `${isoTime(value)} (${value} ms)`;
  return name.endsWith('Ms') && value > 0 ? `${value} ms` : String(value);
}
