/** Nodes of a log in memory, with what each reported. */

import type { LogPart } from '../../../cluster/log/command-log.ts';
import { decodeEntry } from '../../../cluster/log/entry-codec.ts';
import { LOG_START, type LogEvent, LogNode, type LogTerms } from '../../../cluster/log/index.ts';
import { LogKeys } from '../../../cluster/log/log-keys.ts';
import { MemoryStore } from './memory-store.ts';
import { settle, TestClock } from './test-clock.ts';

export const KEYS = new LogKeys('/test/');

export function terms(changes: Partial<LogTerms> = {}): LogTerms {
  const masterSecret = Buffer.alloc(32, 7);
  return {
    funding: 'paper',
    masterSecret,
    logId: undefined,
    lastSeq: 0,
    lastChecksum: 0,
    mayCreate: true,
    ...changes,
  };
}

/** `count` commands from `firstSeq` on. */
export function part(firstSeq: number, count = 1, content: readonly string[] = []): LogPart {
  const each = Array.from({ length: count }, (_, index) => firstSeq + index);
  return {
    firstSeq,
    timesMs: each.map((seq) => 1_000 + seq),
    kinds: each.map((seq) => (seq % 2 === 0 ? 'deposit' : 'withdraw')),
    payloads: each.map((seq) => `{"seq":${seq}}`),
    content,
    digest: firstSeq,
  };
}

export class TestNode {
  readonly events: LogEvent[] = [];
  isHanging = false;
  readonly log: LogNode;

  constructor(store: MemoryStore, clock: TestClock, node: string, rules = 8) {
    this.log = new LogNode({
      store,
      clock,
      node,
      rules,
      prefix: KEYS.prefix,
      feedAddress: `${node}:8082`,
      onEvent: (event) => void this.events.push(event),
      mayBeat: () => !this.isHanging,
    });
  }

  /** The kinds of what it reported, without beats. */
  get reported(): readonly string[] {
    return this.events.map(({ kind }) => kind).filter((kind) => kind !== 'beat');
  }

  get last(): LogEvent | undefined {
    return this.events.at(-1);
  }
}

/** A log whose holder is `core`, after its first beat: entry 1. */
export async function startCore() {
  const store = new MemoryStore();
  const clock = new TestClock();
  const core = new TestNode(store, clock, 'core');
  await core.log.join(terms());
  await core.log.look(LOG_START);
  await core.log.claim(LOG_START);
  await settle();
  return { store, clock, core };
}

/** The entries of a store, in order. */
export function storedEntries(store: MemoryStore) {
  const keys = [...store.values.keys()].filter((key) => key.startsWith(`${KEYS.prefix}log/`));
  return keys.sort().map((key) => decodeEntry(key, store.values.get(key)!));
}

/** The seqs of all commands in a store, in order. */
export function storedSeqs(store: MemoryStore): readonly number[] {
  return storedEntries(store).flatMap(({ payloads }) =>
    payloads.map((payload) => JSON.parse(String(payload)).seq),
  );
}
