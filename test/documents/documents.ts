/**
 * Every document, or part of one, that is made from code. `npm run documents` writes them, and a
 * test compares them.
 *
 * Invariant: what code says stands in a document only where this list makes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type TObject, type TSchema, Type } from 'typebox';
import { toolsOf } from '../../cli/mcp/tools.ts';
import { optionsMarkdown } from '../../cli/parser/help.ts';
import { LIMIT_TABLE } from '../../http/admission/limit-table.ts';
import { FAILURE_DETAILS } from '../../http/errors/details.ts';
import { ERRORS, type ErrorEntry } from '../../http/errors/errors.ts';
import { familiesOf, type MetricSources } from '../../http/metrics/families.ts';
import { SignerTier, VenueProfile } from '../../http/profiles/profile-schema.ts';
import { PROFILES } from '../../http/profiles/profiles.ts';
import type { PlotBase } from '../../http/services/index.ts';
import { STREAM_BOUNDS } from '../../http/streams/delivery/bounds.ts';
import { STREAM_FAULTS } from '../../http/streams/delivery/close-codes.ts';
import { TRACING } from '../../http/tracing/tracing.ts';
import { OPERATOR_ROUTES, ROUTES } from '../all-routes.ts';
import { OPTION_TABLES } from '../cli/options/tables.ts';
import { clientsText } from '../compat/clients/client-settings.ts';
import { compatibilityText } from '../compat/compatibility-text.ts';
import { withTable } from './table.ts';

function code(text: string): string {
  return `\`${text}\``;
}

function withErrors(text: string): string {
  const rows = Object.entries<ErrorEntry>(ERRORS).map(([name, { status, docs }]) => {
    return [code(name), String(status), docs];
  });
  const details = Object.entries<TSchema>(FAILURE_DETAILS).map(([name, schema]) => {
    return [code(name), 'description' in schema ? String(schema.description) : ''];
  });
  return withTable(
    withTable(text, ['detail', 'meaning'], details),
    ['code', 'status', 'when'],
    rows,
  );
}

/** The part of sentence-details.ts before its members stays as it is written. */
function withSentenceDetails(text: string): string {
  const members = Object.entries<ErrorEntry>(ERRORS).flatMap(([name, { text, poly = '' }]) => {
    const named = [...`${text} ${poly}`.matchAll(/\{(\w+)\}/g)].map(([, detail]) =>
      detail === 'name' ? "'field'" : `'${detail}'`,
    );
    const details = [...new Set(named)].filter((detail) => detail !== "'orderHash'");
    return details.length === 0 ? [] : [`  readonly ${name}: ${details.join(' | ')};\n`];
  });
  return `${text.slice(0, text.indexOf('{\n') + 2)}${members.join('')}}\n`;
}

/** Sources of metrics that are described and never read. */
const nothing: MetricSources = new Proxy(
  Object.assign(() => nothing, {}),
  {
    get: () => nothing,
  },
) as unknown as MetricSources;

interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

function withMetrics(text: string): string {
  // Without a collector, tracing has the same metrics.
  const base: PlotBase = Object.assign(Object.create(nothing), { settings: {} });
  const tracing = TRACING.begin?.(base).families?.() ?? [];
  const rows = [...familiesOf(nothing), ...tracing].map((metric) => {
    const { name, help, type, labelNames } = metric as unknown as DescribedMetric;
    return [code(name), type, labelNames.map(code).join(', '), help];
  });
  return withTable(text, ['name', 'type', 'labels', 'meaning'], rows);
}

/** Where a limit comes from is written by hand. */
function withLimits(text: string): string {
  const rows = LIMIT_TABLE.map(({ name, scope, capacity, windowMs }) => [
    code(name),
    scope,
    capacity.toLocaleString('en-US'),
    `${windowMs / 1_000} s`,
    undefined,
  ]);
  return withTable(text, ['name', 'scope', 'requests', 'window', 'origin'], rows);
}

/** The meanings of the bounds are written by hand. */
function withStreams(text: string): string {
  const faults = Object.entries(STREAM_FAULTS).map(([name, fault]) => [
    code(name),
    'closeCode' in fault ? String(fault.closeCode) : '',
    fault.text,
    fault.docs,
  ]);
  const bounds = Object.entries(STREAM_BOUNDS).map(([name, value]) => [
    code(name),
    value.toLocaleString('en'),
    undefined,
  ]);
  const withFaults = withTable(text, ['code', 'close code', 'text', 'when'], faults);
  return withTable(withFaults, ['bound', 'value', 'meaning'], bounds);
}

/** A row for each key of a profile that is no object, named by its path. */
function profileRows(
  schema: TObject,
  profiles: readonly (Readonly<Record<string, unknown>> | null)[],
  path = '',
): string[][] {
  return Object.entries<TSchema>(schema.properties).flatMap(([key, property]) => {
    const values = profiles.map((profile) => profile?.[key]);
    const part = Type.IsUnion(property) ? property.anyOf.find(Type.IsObject) : undefined;
    // Safe: the member of the union is an object, so a value is one, or null.
    const parts = values as (Readonly<Record<string, unknown>> | null)[];
    if (part !== undefined) return profileRows(part, parts, `${key}.`);
    const meaning = 'description' in property ? String(property.description) : '';
    return [[code(path + key), ...values.map(profileCell), meaning]];
  });
}

/** Tiers by their names alone: their figures have a table of their own. */
function profileCell(value: unknown): string {
  return Array.isArray(value) ? value.map(({ tier }) => tier).join(', ') : String(value ?? '-');
}

function tierCell(value: SignerTier[keyof SignerTier]): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : String(value);
}

function tierRows(columns: readonly (keyof SignerTier)[]): string[][] {
  return PROFILES.flatMap(({ name, signerTiers }) =>
    (signerTiers ?? []).map((tier) => [name, ...columns.map((column) => tierCell(tier[column]))]),
  );
}

function withProfiles(text: string): string {
  const { name: _, ...properties } = VenueProfile.properties;
  const rows = profileRows(Type.Object(properties), PROFILES);
  const records = withTable(text, ['key', ...PROFILES.map(({ name }) => name), 'meaning'], rows);
  // Safe: the keys of a schema are those of its values.
  const columns = Object.keys(SignerTier.properties) as (keyof SignerTier)[];
  return withTable(records, ['profile', ...columns], tierRows(columns));
}

/** The tables of options in place of those of the text, which come in the same order. */
function withOptions(text: string): string {
  const made = OPTION_TABLES.map((table) => optionsMarkdown(table).trimEnd());
  const parts = text.trimEnd().split('\n\n');
  const places = parts.flatMap((part, place) => (part.startsWith('| ') ? [place] : []));
  if (places.length !== made.length) throw new Error(`options.md needs ${made.length} tables`);
  places.forEach((place, index) => {
    parts[place] = made[index] ?? '';
  });
  return `${parts.join('\n\n')}\n`;
}

function withTools(text: string): string {
  const rows = toolsOf({ public: ROUTES, operator: OPERATOR_ROUTES }).map((tool) => [
    code(tool.name),
    tool.description,
    code(tool.routeName),
  ]);
  return withTable(text, ['tool', 'what it does', 'route'], rows);
}

/** By the path of each document: what makes it from its text. */
export const DOCUMENTS: Readonly<Record<string, (text: string) => string>> = {
  'COMPATIBILITY.md': compatibilityText,
  'cli/options/options.md': withOptions,
  'docs/agents.md': withTools,
  'docs/clients.md': clientsText,
  'docs/profiles.md': withProfiles,
  'http/admission/limits.md': withLimits,
  'http/errors/errors.md': withErrors,
  'http/errors/sentence-details.ts': withSentenceDetails,
  'http/metrics/metrics.md': withMetrics,
  'http/streams/streams.md': withStreams,
};

function placeOf(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** The text of a document, and what it should be. */
export function compareDocument(path: string): { readonly text: string; readonly made: string } {
  const make = DOCUMENTS[path];
  if (make === undefined) throw new Error(`${path} is not made from code`);
  const text = readFileSync(placeOf(path), 'utf8');
  return { text, made: make(text) };
}

/** Writes every document that is out of date, and returns their paths. */
export function writeDocuments(): readonly string[] {
  return Object.keys(DOCUMENTS).filter((path) => {
    const { text, made } = compareDocument(path);
    if (text !== made) writeFileSync(placeOf(path), made);
    return text !== made;
  });
}
