/** deploy/watching agrees with the exchange; `npm run test:deploy -- watching` tries it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { shareTestExchange } from '../http/exchange-fixture.ts';
import { scrape } from '../http/metrics/scrape.ts';
import { PROJECT } from './system.ts';
import {
  readAlertChecks,
  readPanels,
  readQueries,
  readRules,
  selectorsOf,
} from './watching-files.ts';

const RULES = readRules();
const ALERTS = RULES.filter(({ alert }) => alert !== undefined);
const NAMES = ALERTS.map(({ alert }) => alert ?? '');

t.test('each alert has an entry in the runbook, and each entry an alert', async (t) => {
  const text = readFileSync(join(PROJECT, 'docs/runbook.md'), 'utf8');
  const [, ...entries] = text.split(/^### /m);
  t.strictSame(
    entries.map((entry) => entry.slice(0, entry.indexOf('\n'))),
    NAMES,
    'in the same order',
  );
  for (const entry of entries) {
    const parts = ['Means', 'Look at', 'Do'].filter((part) => entry.includes(`**${part}**: `));
    t.equal(parts.length, 3, entry.slice(0, entry.indexOf('\n')));
  }
  for (const [, panel = ''] of text.matchAll(/panels? "([^"]+)"/g)) {
    t.ok(
      readPanels().some(({ title }) => title === panel),
      panel,
    );
  }
});

t.test('each alert links to its entry and says whom it wakes', async (t) => {
  for (const { alert = '', labels, annotations } of ALERTS) {
    t.equal(annotations?.runbook, `docs/runbook.md#${alert.toLowerCase()}`);
    const severities = alert === 'Watchdog' ? ['none'] : ['page', 'ticket'];
    t.ok(severities.includes(labels?.severity ?? ''), `${alert}: ${labels?.severity}`);
  }
});

t.test('alerts.test.yml has each alert once when it fires and once when not', async (t) => {
  const checks = readAlertChecks();
  for (const name of NAMES) {
    const own = checks.filter(({ alertname }) => alertname === name);
    t.ok(
      own.some(({ exp_alerts = [] }) => exp_alerts.length > 0),
      `${name} fires`,
    );
    if (name === 'Watchdog') continue;
    t.ok(
      own.some(({ exp_alerts = [] }) => exp_alerts.length === 0),
      `${name} does not fire`,
    );
  }
});

const share = await shareTestExchange(t);

t.test('rules and panels name metrics that GET /metrics shows', async (t) => {
  const families = await scrape(share());
  const known = new Set(['up', ...RULES.map(({ record }) => record), ...families.keys()]);
  const isKnown = (metric: string): boolean => {
    const family = metric.replace(/_(bucket|sum|count)$/, '');
    return known.has(metric) || families.get(family)?.type === 'histogram';
  };
  const asked = [...RULES.map(({ expr }) => expr), ...readQueries().map(({ expr }) => expr)];
  const metrics = new Set(asked.flatMap(selectorsOf).map(({ metric }) => metric));
  t.ok(metrics.size > 50, `${metrics.size} metrics`);
  t.strictSame(
    [...metrics].filter((metric) => !isKnown(metric)),
    [],
  );
});

t.test('panels have names of their own and say what they show', async (t) => {
  const panels = readPanels().filter(({ targets }) => targets !== undefined);
  t.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
  for (const { title, description } of panels) t.ok(description, title);
});
