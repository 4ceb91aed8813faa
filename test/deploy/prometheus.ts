/** Debian's Prometheus, with the files of `deploy/watching/`, before an exchange of a test. */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort } from './front-servers.ts';
import { WATCHING } from './watching-files.ts';

/** How often the test scrapes and evaluates: a test can't wait as long as an operator. */
const INTERVAL = '1s';

/** One series of an answer. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [seconds: number, value: string];
}

export interface ActiveAlert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
}

/** The parts of prometheus.yml that a test changes. */
interface Configuration {
  readonly rule_files: readonly string[];
  readonly scrape_configs: readonly {
    readonly static_configs: readonly { targets: readonly string[] }[];
  }[];
  global: object;
  alerting?: object;
}

/**
 * Writes the configuration as an operator installs it, but with the addresses of the exchange, a
 * shorter interval, and without an Alertmanager. Returns its path.
 */
export function installConfiguration(
  folder: string,
  addresses: readonly string[],
  token: string,
): string {
  // Safe: promtool checks the file.
  const changed = parse(readFileSync(join(WATCHING, 'prometheus.yml'), 'utf8')) as Configuration;
  changed.global = { scrape_interval: INTERVAL, evaluation_interval: INTERVAL };
  delete changed.alerting;
  for (const { static_configs } of changed.scrape_configs) {
    for (const place of static_configs) place.targets = addresses;
  }
  for (const name of changed.rule_files) copyFileSync(join(WATCHING, name), join(folder, name));
  writeFileSync(join(folder, 'outcome-exchange.token'), token, { mode: 0o600 });
  const path = join(folder, 'prometheus.yml');
  writeFileSync(path, stringify(changed));
  return path;
}

export class Prometheus {
  readonly #child: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#url = url;
  }

  static async start(configuration: string, folder: string): Promise<Prometheus> {
    const port = await freePort();
    const data = join(folder, 'prometheus');
    mkdirSync(data);
    const child = spawn(
      'prometheus',
      [
        `--config.file=${configuration}`,
        `--storage.tsdb.path=${data}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    process.once('exit', () => child.kill('SIGKILL'));
    return new Prometheus(child, `http://127.0.0.1:${port}`);
  }

  /** The series of an expression now. Rejects if the expression is wrong or nothing answers. */
  async query(expr: string): Promise<readonly Series[]> {
    const { result } = await this.#ask<{ readonly result: readonly Series[] }>(
      `query?${new URLSearchParams({ query: expr })}`,
    );
    return result;
  }

  async alerts(): Promise<readonly ActiveAlert[]> {
    const { alerts } = await this.#ask<{ readonly alerts: readonly ActiveAlert[] }>('alerts');
    return alerts;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  async #ask<Data>(path: string): Promise<Data> {
    const answer = await fetch(`${this.#url}/api/v1/${path}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, `${path}: ${text}`);
    // Safe: the form of Prometheus' answers.
    return (JSON.parse(text) as { readonly data: Data }).data;
  }
}
