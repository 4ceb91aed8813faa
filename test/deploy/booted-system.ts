/**
 * A Debian root whose systemd runs as process 1 of its own namespaces, by systemd-nspawn. It has a
 * loopback network of its own, so its ports meet no others.
 */
import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { attempt, type Ended, run } from './system.ts';

function childrenOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter((one) => one !== '');
  } catch {
    // It has ended since its parent named it.
    return [];
  }
}

/** The first process of a namespace among the descendants of a process. */
function findFirst(pid: string): string | undefined {
  for (const child of childrenOf(pid)) {
    const status = readFileSync(`/proc/${child}/status`, 'utf8');
    if (/^NSpid:.*\t1$/m.test(status)) return child;
    const found = findFirst(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

export class BootedSystem {
  readonly #outside: ChildProcess;

  constructor(root: string, log: string) {
    const words = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--boot'];
    const output = openSync(log, 'a');
    this.#outside = spawn('systemd-nspawn', [...words, '--directory', root], {
      stdio: ['ignore', output, output],
    });
    closeSync(output);
  }

  get #first(): string {
    const first = findFirst(String(this.#outside.pid));
    assert.ok(first !== undefined, 'the system runs');
    return first;
  }

  /** Runs a program of the system in it. */
  attempt(...words: string[]): Ended {
    return attempt('nsenter', ['--target', this.#first, '--all', ...words]);
  }

  run(...words: string[]): string {
    const { code, output } = this.attempt(...words);
    assert.equal(code, 0, `${words.join(' ')}: ${output}`);
    return output;
  }

  /** A program of this machine, in the network of the system alone. */
  runOutside(...words: string[]): string {
    return run('nsenter', ['--target', this.#first, '--net', ...words]);
  }

  /** A property of a unit. */
  show(unit: string, property: string): string {
    return this.run('systemctl', 'show', '--value', '--property', property, unit).trim();
  }

  async powerOff(): Promise<void> {
    if (this.#outside.exitCode !== null) return;
    const ended = once(this.#outside, 'exit');
    this.#outside.kill('SIGTERM');
    await ended;
  }
}
