/**
 * Names and priorities of threads. The name is what `top -H` and the metrics show. Threads that an
 * order waits for (matching, verifiers, journal) have priority over those that only read and copy,
 * when there is more work than processors.
 *
 * Invariant: a thread only ever lowers its priority, which needs no privilege. Niceness is that of
 * nice(1), relative to the process. Only Linux has names and priorities of single threads: on other
 * systems, and where /proc is hidden, all threads run with equal priority.
 */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Niceness by thread name. The kernel keeps at most 15 characters of a name. */
export const THREAD_NICENESS = {
  journal: 0,
  etcd: 0,
  verifier: 0,
  projector: 3,
  reader: 5,
  'catalog-reader': 5,
  analytics: 5,
  catalog: 5,
  follower: 10,
  history: 5,
  sync: 10,
} as const;

export type ThreadName = keyof typeof THREAD_NICENESS;

/** Garbage collection and compilation yield to the threads that they serve. */
const RUNTIME_NICENESS = 5;

/** The unit of processor times in /proc, the same on all Linux systems that Node supports. */
const TICKS_PER_SECOND = 100;
const MAX_NICENESS = 19;

export function setThreadPriority(name: ThreadName): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/thread-self/comm', name);
    addNiceness(Number(basename(readlinkSync('/proc/thread-self'))), THREAD_NICENESS[name]);
  } catch {
    // /proc is hidden: the thread works without name and priority.
  }
}

/**
 * Lowers the priority of the threads that Node itself runs: a full garbage collection keeps one of
 * them busy for half a second. The main thread calls this before it starts our own threads.
 */
export function lowerRuntimePriority(): void {
  if (process.platform !== 'linux') return;
  for (const id of threadIds(`/proc/${process.pid}/task`)) {
    if (id === String(process.pid)) continue;
    try {
      addNiceness(Number(id), RUNTIME_NICENESS);
    } catch {
      // The thread ended after it was listed.
    }
  }
}

function addNiceness(thread: number, niceness: number): void {
  setPriority(thread, Math.min(getPriority(thread) + niceness, MAX_NICENESS));
}

/**
 * Processor seconds used so far by the threads of a process, by thread name: `matching` is the main
 * thread, `runtime` are Node's own threads. Empty if the system has no /proc.
 */
export function threadSeconds(pid: number = process.pid): ReadonlyMap<string, number> {
  const folder = `/proc/${pid}/task`;
  const seconds = new Map<string, number>();
  for (const id of threadIds(folder)) {
    const stat = statOf(`${folder}/${id}`);
    // The name stands in parentheses and may contain blanks.
    const nameEnd = stat.lastIndexOf(')');
    if (nameEnd < 0) continue;
    const fields = stat.slice(nameEnd + 2).split(' ');
    const used = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    const comm = stat.slice(stat.indexOf('(') + 1, nameEnd);
    const known = Object.hasOwn(THREAD_NICENESS, comm) ? comm : 'runtime';
    const name = id === String(pid) ? 'matching' : known;
    seconds.set(name, (seconds.get(name) ?? 0) + used);
  }
  return seconds;
}

function threadIds(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not Linux, or /proc is hidden
  }
}

function statOf(thread: string): string {
  try {
    return readFileSync(`${thread}/stat`, 'utf8');
  } catch {
    return ''; // the thread ended after it was listed
  }
}
