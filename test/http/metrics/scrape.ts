/** Reads `GET /metrics`, with a strict parser of the text format of Prometheus. */
import { strict as assert } from 'node:assert';
import type { Running } from '../../../venue/program.ts';

export interface Scraped {
  readonly type: string;
  readonly help: string;
  /** By name and labels as they are written: `a_total{b="c"}`. */
  readonly values: Map<string, number>;
}

const HELP = /^# HELP ([a-z0-9_]+) (\S.*)$/;
const TYPE = /^# TYPE ([a-z0-9_]+) (counter|gauge|histogram|summary)$/;
const LABEL = '[a-z0-9_]+="(?:[^"\\\\]|\\\\.)*"';
const VALUE = new RegExp(`^(([a-z0-9_]+)(?:\\{${LABEL}(?:,${LABEL})*\\})?) (\\S+)$`);
const PARTS = /_(bucket|sum|count)$/;

function numberOf(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  // Prometheus ignores case here. prom-client writes `Nan` for the mean of no values.
  if (text.toLowerCase() === 'nan') return Number.NaN;
  assert(Number.isFinite(Number(text)), `${text} is a number`);
  return Number(text);
}

/** Families by name. Each line must follow the format and stand below the head of its family. */
function parseMetrics(text: string): Map<string, Scraped> {
  const families = new Map<string, Scraped>();
  const helps = new Map<string, string>();
  let name = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, helped = '', help = ''] = HELP.exec(line) ?? [];
    const [, typed = '', type = ''] = TYPE.exec(line) ?? [];
    if (helped !== '') helps.set(helped, help);
    if (typed !== '') {
      assert(!families.has(typed), `${typed} is there once`);
      families.set(typed, { type, help: helps.get(typed) ?? '', values: new Map() });
      name = typed;
    }
    if (line.startsWith('#')) continue;
    const [, key = '', written = '', value = ''] = VALUE.exec(line) ?? [];
    const family = families.get(name);
    assert(family !== undefined && key !== '', `${line} is a line of a family`);
    const isPart = family.type === 'histogram' || family.type === 'summary';
    assert.equal(isPart ? written.replace(PARTS, '') : written, name);
    assert(!family.values.has(key), `${key} is there once`);
    family.values.set(key, numberOf(value));
  }
  return families;
}

/** A part of `TestExchange`. */
interface ScrapedExchange {
  readonly running: Pick<Running, 'adminPort' | 'adminToken'>;
}

/** The metrics of an exchange. */
export async function scrape({
  running: { adminPort, adminToken },
}: ScrapedExchange): Promise<Map<string, Scraped>> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return parseMetrics(text);
}

/** The sum of a family's values with this name whose labels contain all of `texts`. */
export function total(
  families: ReadonlyMap<string, Scraped>,
  name: string,
  ...texts: readonly string[]
): number {
  const family = families.get(name.replace(PARTS, '')) ?? families.get(name);
  assert(family !== undefined, `${name} is a family`);
  let sum = 0;
  for (const [key, value] of family.values) {
    if (key.split('{')[0] === name && texts.every((one) => key.includes(one))) sum += value;
  }
  return sum;
}
