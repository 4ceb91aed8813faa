/**
 * `npm run test:deploy -- watching`: Debian's Prometheus scrapes an exchange under load with the
 * files of `deploy/watching/`. Each query of the dashboard and each selector of the alert rules
 * finds series, and alerts become active when they must.
 */
import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setDefaultCACertificates } from 'node:tls';
import { type ExchangeProcess, startExchangeProcess } from '../exchange-process.ts';
import { makeCertificate } from './front-servers.ts';
import { installConfiguration, Prometheus } from './prometheus.ts';
import { run, say } from './system.ts';
import { Load } from './venue-load.ts';
import { readQueries, readRules, selectorsOf, WATCHING } from './watching-files.ts';

const WITHIN_MS = 90_000;
const POLL_MS = 500;
/**
 * What an exchange that is well never has, a fault of the program and too much load, and what only
 * a cluster has, which watching-cluster.ts tries.
 */
const NEVER_THERE = /status="500"|overloaded_total|_(node|feed|etcd)_/;

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + WITHIN_MS;
  while (!(await isTrue())) {
    assert.ok(Date.now() < endMs, `within ${WITHIN_MS} ms: ${what}`);
    await sleep(POLL_MS);
  }
}

function checkFiles(): void {
  run('promtool', ['check', 'rules', join(WATCHING, 'alerts.yml')]);
  run('promtool', ['check', 'config', '--syntax-only', join(WATCHING, 'prometheus.yml')]);
  run('promtool', ['test', 'rules', join(WATCHING, 'alerts.test.yml')]);
  say('promtool accepts the rules, their tests and the configuration');
}

async function isScraped(prometheus: Prometheus): Promise<boolean> {
  // It does not listen at once.
  const series = await prometheus.query('outcome_exchange_ready').catch(() => []);
  return series.length > 0;
}

/** Whether a query has a number. */
async function hasNumbers(prometheus: Prometheus, expr: string): Promise<boolean> {
  const series = await prometheus.query(expr);
  return series.some(({ value: [, value] }) => value !== 'NaN');
}

async function checkPanels(prometheus: Prometheus): Promise<void> {
  const queries = readQueries();
  for (const { panel, expr } of queries) {
    await until(`"${panel}" shows ${expr}`, () => hasNumbers(prometheus, expr));
  }
  say(`all ${queries.length} queries of the dashboard have numbers`);
}

async function checkSelectors(prometheus: Prometheus): Promise<void> {
  const selectors = new Set(readRules().flatMap(({ expr }) => selectorsOf(expr)));
  const asked = [...selectors].filter(({ text }) => !NEVER_THERE.test(text));
  for (const { text } of asked) {
    await until(`the rules find ${text}`, () => hasNumbers(prometheus, `count(${text})`));
  }
  say(`all ${asked.length} selectors of the rules find series`);
}

/** The active alerts, apart from those of the test's certificate, which ends in two days. */
async function activeAlerts(prometheus: Prometheus): Promise<readonly string[]> {
  const alerts = await prometheus.alerts();
  const names = alerts.map(({ labels: { alertname = '' } }) => alertname);
  return names.filter((name) => !name.startsWith('CertificateEnds')).toSorted();
}

async function checkAlerts(prometheus: Prometheus, exchange: ExchangeProcess): Promise<void> {
  // The load sends wrong tokens.
  assert.deepEqual(await activeAlerts(prometheus), ['OperatorTokenGuessed', 'Watchdog']);
  await exchange.killHard();
  await until('ExchangeDown', async () =>
    (await activeAlerts(prometheus)).includes('ExchangeDown'),
  );
  say('the load sets off what it must and nothing else; a kill sets off ExchangeDown');
}

async function watch(folder: string): Promise<void> {
  const { certificate, key } = makeCertificate(folder);
  setDefaultCACertificates([readFileSync(certificate, 'utf8')]);
  const dataDir = join(folder, 'data');
  const tls = ['--tls-cert', certificate, '--tls-key', key];
  const exchange = await startExchangeProcess(dataDir, [...tls, '--snapshot-seconds', '2']);
  const token = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
  const address = new URL(exchange.adminUrl).host;
  const configuration = installConfiguration(folder, [address], token);
  run('promtool', ['check', 'config', configuration]);
  const prometheus = await Prometheus.start(configuration, folder);
  const load = new Load({ url: exchange.url, adminUrl: exchange.adminUrl, token });
  try {
    await until('Prometheus scrapes the exchange', () => isScraped(prometheus));
    await load.start();
    await checkPanels(prometheus);
    await checkSelectors(prometheus);
    await load.stop();
    await checkAlerts(prometheus, exchange);
  } finally {
    // Before the exchange ends: its failures would hide the one that led here.
    await load.stop();
    await prometheus.stop();
    await exchange.killHard();
  }
}

checkFiles();
const folder = mkdtempSync(join(tmpdir(), 'exchange-watching-'));
try {
  await watch(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
