/** Values of records: amounts with their raw units, times, and ids with links to their pages. */
import type { ComponentChildren } from 'preact';
import { Fact, grouped, Id, linkTo, localTime } from '../kit/index.ts';
import { fieldsOf, type ShownField, segmentsOf, type Unit } from './fields.ts';

/** "-4.6" is "−$4.60". */
export function cashText(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const text = `$${grouped(whole)}.${fraction.padEnd(2, '0')}`;
  return decimal.startsWith('-') ? `−${text}` : text;
}

function decimalOf(unit: Unit, beside: string): string {
  switch (unit) {
    case 'ticks':
      return beside;
    case 'lots':
      return `${grouped(beside)} ${beside === '1' ? 'token' : 'tokens'}`;
    case 'micros':
      return cashText(beside);
    case 'ms':
      return localTime(Date.parse(beside));
  }
}

function rawOf(unit: Unit, value: number): string {
  const word = value === 1 && unit !== 'ms' ? unit.slice(0, -1) : unit;
  return `${grouped(String(value))} ${word}`;
}

interface AmountProps {
  readonly unit: Unit;
  readonly raw: number;
  /** Undefined or null where there is none: a duration, or no time. */
  readonly decimal?: string | null | undefined;
}

/** "125 tokens", and the raw 12,500 lots beside it. */
export function Amount({ unit, raw, decimal }: AmountProps) {
  if (decimal === undefined || decimal === null) {
    return <>{unit === 'ms' && raw === 0 ? 'none' : rawOf(unit, raw)}</>;
  }
  return (
    <span class="amount">
      <span>{decimalOf(unit, decimal)}</span> <small class="muted">{rawOf(unit, raw)}</small>
    </span>
  );
}

export function RecordLink({ kind, id }: { kind: string; id: string }) {
  return <Id text={id} href={linkTo(['explorer', kind, id])} />;
}

export function CommandLink({ seq }: { seq: number | null }) {
  if (seq === null) return <>none</>;
  return <a href={linkTo(['explorer', 'command', String(seq)])}>{seq}</a>;
}

/** Longer texts, such as a signature, are shortened. */
const WHOLE_CHARACTERS = 24;
const LONG_ID = /^(0x[0-9a-f]+|\d+|[0-9a-f-]{36})$/i;

/** What the public listener shows in place of each API key. */
const HIDDEN_KEY = /^[0-]+$/;

/** A value without a unit. */
export function Plain({ name, value }: { name: string; value: unknown }) {
  if (value === null || value === '') return <>none</>;
  if (name === 'api_key' && HIDDEN_KEY.test(String(value))) return <>hidden</>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  const text = String(value);
  const segments = segmentsOf(name, value);
  if (text.length > WHOLE_CHARACTERS && LONG_ID.test(text)) {
    return <Id text={text} {...(segments === undefined ? {} : { href: linkTo(segments) })} />;
  }
  return segments === undefined ? text : <a href={linkTo(segments)}>{text}</a>;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function Value({ field }: { field: ShownField }) {
  const { name, value, unit, beside } = field;
  if (unit !== undefined) return <Amount unit={unit} raw={Number(value)} decimal={beside} />;
  if (isRecord(value)) return <Fields record={value} />;
  if (!Array.isArray(value)) return <Plain name={name} value={value} />;
  if (value.length === 0) return <>none</>;
  return (
    <ul class="values">
      {value.map((item, index) => (
        <li key={index}>
          {isRecord(item) ? <Fields record={item} /> : <Plain name={name} value={item} />}
        </li>
      ))}
    </ul>
  );
}

interface FieldsProps {
  readonly record: Readonly<Record<string, unknown>>;
  /** More facts, before those of the record. */
  readonly children?: ComponentChildren;
}

/** A record as a list of facts. */
export function Fields({ record, children }: FieldsProps) {
  const fields = fieldsOf(record);
  if (fields.length === 0) return <>nothing</>;
  return (
    <dl class="facts">
      {children}
      {fields.map((field) => (
        <Fact key={field.name} name={field.label}>
          <Value field={field} />
        </Fact>
      ))}
    </dl>
  );
}
