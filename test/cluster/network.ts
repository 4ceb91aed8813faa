/**
 * Hosts of a test in network namespaces of their own, joined by a bridge in one more. Packets from
 * one host to another can be dropped, in one direction alone.
 *
 * Invariant: the network of this machine gets one link with one address, and `close` removes it.
 * Bound: 200 hosts; the addresses are 10.213.N.0/24 with N from the process id.
 */
import { spawnSync } from 'node:child_process';

const FIRST_HOST = 10;
const GATEWAY = 1;

function run(...words: string[]): void {
  const [program = '', ...rest] = words;
  const { status, stderr, error } = spawnSync(program, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')}: ${error?.message ?? stderr}`);
}

function attempt(...words: string[]): boolean {
  const [program = '', ...rest] = words;
  return spawnSync(program, rest, { stdio: 'ignore' }).status === 0;
}

export interface TestHost {
  readonly name: string;
  readonly address: string;
  /** Words in front of a program that runs on this host. */
  readonly wrapper: readonly string[];
}

export class TestNetwork {
  readonly #id: number;
  readonly #switch: string;
  readonly #hosts = new Map<string, TestHost>();

  private constructor(id: number) {
    this.#id = id;
    this.#switch = `ox${id}-switch`;
  }

  /** Why this machine can't have such hosts, or undefined. */
  static refusal(): string | undefined {
    try {
      const network = TestNetwork.open();
      try {
        const [one, other] = [network.host('a'), network.host('b')];
        network.cut(one.name, other.name);
        network.heal();
      } finally {
        network.close();
      }
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  static open(): TestNetwork {
    const network = new TestNetwork(process.pid % 250);
    network.#remove();
    try {
      network.#make();
      return network;
    } catch (error) {
      network.close();
      throw error;
    }
  }

  get #link(): string {
    return `ox${this.#id}`;
  }

  #address(number: number): string {
    return `10.213.${this.#id}.${number}`;
  }

  #make(): void {
    const inSwitch = ['ip', '-n', this.#switch];
    run('ip', 'netns', 'add', this.#switch);
    run(...inSwitch, 'link', 'add', 'bridge', 'type', 'bridge');
    run(...inSwitch, 'link', 'set', 'bridge', 'up');
    run(
      'ip',
      'link',
      'add',
      this.#link,
      'type',
      'veth',
      'peer',
      'name',
      'out',
      'netns',
      this.#switch,
    );
    run(...inSwitch, 'link', 'set', 'out', 'master', 'bridge', 'up');
    run('ip', 'address', 'add', `${this.#address(GATEWAY)}/24`, 'dev', this.#link);
    run('ip', 'link', 'set', this.#link, 'up');
  }

  /** Makes the host at its first use. */
  host(name: string): TestHost {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const number = FIRST_HOST + this.#hosts.size;
    const namespace = `ox${this.#id}-${name}`;
    const address = this.#address(number);
    const host = { name, address, wrapper: ['ip', 'netns', 'exec', namespace] };
    this.#hosts.set(name, host);
    const own = ['ip', '-n', namespace];
    run('ip', 'netns', 'add', namespace);
    const port = `p${number}`;
    const peer = ['peer', 'name', 'eth0', 'netns', namespace];
    run('ip', '-n', this.#switch, 'link', 'add', port, 'type', 'veth', ...peer);
    run('ip', '-n', this.#switch, 'link', 'set', port, 'master', 'bridge', 'up');
    run(...own, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    run(...own, 'link', 'set', 'eth0', 'up');
    run(...own, 'link', 'set', 'lo', 'up');
    return host;
  }

  /** Drops all packets of a host to another one. Those of the other direction still arrive. */
  cut(from: string, to: string): void {
    const { wrapper } = this.host(to);
    run(...wrapper, 'iptables', '-w', '-A', 'INPUT', '-s', this.host(from).address, '-j', 'DROP');
  }

  /** Drops nothing any more. */
  heal(): void {
    for (const { wrapper } of this.#hosts.values())
      run(...wrapper, 'iptables', '-w', '-F', 'INPUT');
  }

  /** Removes what an earlier process of the same number left, which was killed. */
  #remove(): void {
    attempt('ip', 'link', 'delete', this.#link);
    const { stdout } = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' });
    const names = (stdout ?? '').split('\n').map((line) => line.split(' ')[0] ?? '');
    for (const name of names) {
      if (name.startsWith(`ox${this.#id}-`)) attempt('ip', 'netns', 'delete', name);
    }
  }

  /** The processes on the hosts must have ended before. */
  close(): void {
    this.#remove();
    this.#hosts.clear();
  }
}
