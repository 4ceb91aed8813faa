/**
 * Podman with storage, networks and settings of its own, which leave those of the machine alone.
 * Containers run in a network namespace of their own, so their ports meet no others.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, type Ended, run } from './system.ts';

export class ContainerEngine {
  readonly #folder: string;
  readonly #namespace: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#namespace = `outcome-exchange-${process.pid}`;
    mkdirSync(folder, { recursive: true });
    const path = (name: string): string => JSON.stringify(join(folder, name));
    writeFileSync(
      join(folder, 'storage.conf'),
      `[storage]\ndriver = "overlay"\ngraphroot = ${path('storage')}\nrunroot = ${path('run')}\n`,
    );
    // runc also runs where control groups of both versions are mounted; crun does not.
    writeFileSync(
      join(folder, 'containers.conf'),
      `[engine]\nruntime = "runc"\nevents_logger = "file"\ntmp_dir = ${path('tmp')}\n` +
        `[network]\nnetwork_config_dir = ${path('networks')}\n`,
    );
    process.env.CONTAINERS_STORAGE_CONF = join(folder, 'storage.conf');
    process.env.CONTAINERS_CONF = join(folder, 'containers.conf');
    run('ip', ['netns', 'add', this.#namespace]);
    this.run('ip', 'link', 'set', 'lo', 'up');
  }

  /** A program of this machine, in the network of the containers alone. */
  attempt(...words: string[]): Ended {
    return attempt('nsenter', [`--net=/run/netns/${this.#namespace}`, ...words]);
  }

  run(...words: string[]): string {
    return run('nsenter', [`--net=/run/netns/${this.#namespace}`, ...words]);
  }

  /** Makes an image of a root. */
  importRoot(root: string, name: string, variables: Readonly<Record<string, string>>): void {
    const file = join(this.#folder, 'root.tar');
    run('tar', ['--create', '--directory', root, '--file', file, '.']);
    const changes = Object.entries(variables).flatMap(([key, value]) => [
      '--change',
      `ENV ${key}=${value}`,
    ]);
    run('podman', ['import', ...changes, file, name]);
  }

  /**
   * Limits that this process may give: an engine with all rights gives any. In the form of a
   * compose file.
   */
  limits(): Record<string, number> {
    const text = readFileSync('/proc/self/limits', 'utf8');
    const hard = (name: string, most: number): number => {
      const [, value = ''] = new RegExp(`^${name} +\\S+ +(\\S+)`, 'm').exec(text) ?? [];
      return Math.min(most, value === 'unlimited' ? most : Number(value));
    };
    return { nofile: hard('Max open files', 65_536), nproc: hard('Max processes', 4_096) };
  }

  close(): void {
    for (const words of [
      ['podman', 'rm', '--all', '--force', '--time=0'],
      ['ip', 'netns', 'delete', this.#namespace],
      ['umount', '--quiet', join(this.#folder, 'storage/overlay')],
    ]) {
      const [program = '', ...rest] = words;
      attempt(program, rest);
    }
  }
}
