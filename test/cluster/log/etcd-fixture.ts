/**
 * Logs in a real etcd. Each test that uses it takes nodes of its own, unless it only needs a prefix
 * that no other test uses.
 */
import { EventEmitter, once } from 'node:events';
import {
  LOG_START,
  type LogEvent,
  type LogPosition,
  type ReplicatedLog,
  type ReplicatedLogOptions,
  startEtcdLog,
} from '../../../cluster/log/index.ts';
import { EtcdNodes, etcdVersion } from '../../../deploy/cluster/etcd-nodes.ts';
import { leaveNote } from '../../notes.ts';
import { type Scope, temporaryFolder } from '../../temporary-folder.ts';
import { terms } from './log-fixture.ts';

/** For the option `skip` of tests: false if etcd is installed; if not, the tests say so loudly. */
export function withoutEtcd(): false | string {
  if (etcdVersion() !== undefined) return false;
  leaveNote('etcd is not installed: the tests of the log in etcd did NOT run\n');
  return 'etcd is not installed';
}

export async function startNodes(scope: Scope): Promise<EtcdNodes> {
  const nodes = await EtcdNodes.start({ folder: temporaryFolder(scope) });
  scope.teardown(() => nodes.stop());
  return nodes;
}

/** A log at one node, with what it reported. */
export class OpenLog {
  readonly log: ReplicatedLog;
  readonly events: LogEvent[];
  readonly #emitter: EventEmitter;

  private constructor(log: ReplicatedLog, events: LogEvent[], emitter: EventEmitter) {
    this.log = log;
    this.events = events;
    this.#emitter = emitter;
  }

  static async start(
    scope: Scope,
    changes: Partial<ReplicatedLogOptions> & Pick<ReplicatedLogOptions, 'urls'>,
  ): Promise<OpenLog> {
    const events: LogEvent[] = [];
    const emitter = new EventEmitter();
    const log = await startEtcdLog({
      prefix: '/test',
      node: 'node',
      feedAddress: 'localhost:8082',
      terms: terms(),
      onEvent: (event) => {
        events.push(event);
        emitter.emit(event.kind, event);
      },
      ...changes,
    });
    scope.teardown(() => log.close());
    return new OpenLog(log, events, emitter);
  }

  /** Resolves with the next event of a kind. */
  async next<Kind extends LogEvent['kind']>(
    kind: Kind,
  ): Promise<Extract<LogEvent, { kind: Kind }>> {
    const [event] = await once(this.#emitter, kind);
    return event;
  }

  /** Looks and claims, which no other node may do meanwhile. */
  async claim(known: LogPosition = LOG_START) {
    await this.log.look(known);
    const claim = await this.log.claim(known);
    if (claim === undefined) throw new Error('another node has claimed');
    return claim;
  }
}
