/** What is in the files of `deploy/watching/`: alerts, their tests, queries of the dashboard. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from './system.ts';

export const WATCHING = join(PROJECT, 'deploy/watching');

export interface Rule {
  /** The name of an alert; absent for a recording rule. */
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook: string };
}

export interface AlertCheck {
  readonly alertname: string;
  readonly exp_alerts?: readonly object[];
}

export interface Query {
  readonly panel: string;
  readonly expr: string;
}

interface Panel {
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
}

function read(name: string): string {
  return readFileSync(join(WATCHING, name), 'utf8');
}

/** Safe, like the other casts here: promtool and the tests check what the files contain. */
export function readRules(): readonly Rule[] {
  const { groups } = parse(read('alerts.yml')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export function readAlertChecks(): readonly AlertCheck[] {
  const { tests } = parse(read('alerts.test.yml')) as {
    readonly tests: readonly { readonly alert_rule_test: readonly AlertCheck[] }[];
  };
  return tests.flatMap((one) => one.alert_rule_test);
}

export function readPanels(): readonly Panel[] {
  return (JSON.parse(read('dashboard.json')) as { readonly panels: readonly Panel[] }).panels;
}

/** The queries of all panels, with values in the place of Grafana's variables. */
export function readQueries(): readonly Query[] {
  return readPanels().flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => {
      const query = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');
      return { panel: title, expr: query };
    }),
  );
}

/** A metric, or what a recording rule made of some, with the labels that an expression asks for. */
export interface Selector {
  readonly metric: string;
  readonly text: string;
}

const SELECTOR = /\b((?:outcome_exchange|process|nodejs|up)(?:[:_][\w:]*)?)(\{[^}]*\})?/g;

/** All selectors of an expression. */
export function selectorsOf(expr: string): readonly Selector[] {
  return [...expr.matchAll(SELECTOR)].map(([text, metric = '']) => ({ metric, text }));
}
