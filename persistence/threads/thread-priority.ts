/**
 * The place of a thread among the others: the name that `top -H` and the metrics show for it, and
 * its priority. What orders wait for (matching, verifiers, journal) comes before what only reads
 * and copies, where there are more threads with work than processors.
 *
 * Invariant: a thread only ever gives way, for which no right is needed; niceness is as in nice(1),
 * and counts from that of the process.
 * Only Linux has names and priorities of single threads: elsewhere, and where /proc is hidden, all
 * are equal and nothing is told of them.
 */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** By entry file. A name has 15 characters at most. */
export const THREAD_PLACES: Readonly<Record<string, { name: string; niceness: number }>> = {
  'journal-thread.ts': { name: 'journal', niceness: 0 },
  'verifier-thread.ts': { name: 'verifier', niceness: 0 },
  'projector-thread.ts': { name: 'projector', niceness: 3 },
  'reader-thread.ts': { name: 'reader', niceness: 5 },
  'catalog-reader-thread.ts': { name: 'catalog-reader', niceness: 5 },
  'analytics-thread.ts': { name: 'analytics', niceness: 5 },
  'catalog-thread.ts': { name: 'catalog', niceness: 5 },
  'follower-thread.ts': { name: 'follower', niceness: 10 },
  'sync-thread.ts': { name: 'sync', niceness: 10 },
};

/** Of garbage collection and compiling beside the threads that they are for. */
const RUNTIME_NICENESS = 5;

/** Of the kernel's clock for process times, on all Linux systems that Node supports. */
const TICKS_PER_SECOND = 100;
const MOST_NICENESS = 19;

/** The calling thread's, by the file that it was started with; a test's own threads have none. */
export function takePlace(entryFile: string | undefined = process.argv[1]): void {
  const place = THREAD_PLACES[basename(entryFile ?? '')];
  if (place === undefined || process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/thread-self/comm', place.name);
    // The thread's own number: this call is made by the thread itself.
    giveWay(Number(basename(readlinkSync('/proc/thread-self'))), place.niceness);
  } catch {
    // Without /proc there is nothing to tell, and every thread works as well as an equal of all.
  }
}

/**
 * Gives the threads that Node itself has their place: a full collection keeps one of them busy for
 * half a second, and where there are two processors everybody else shares the other one. To be
 * called by the main thread before it starts any thread of ours.
 */
export function placeRuntime(): void {
  if (process.platform !== 'linux') return;
  for (const id of tasks(`/proc/${process.pid}/task`)) {
    if (id === String(process.pid)) continue;
    try {
      giveWay(Number(id), RUNTIME_NICENESS);
    } catch {
      // It has ended since it was listed.
    }
  }
}

function giveWay(thread: number, niceness: number): void {
  setPriority(thread, Math.min(getPriority(thread) + niceness, MOST_NICENESS));
}

/**
 * Processor time so far of this process, or another one, by the name of the thread, in seconds:
 * `matching` is the main thread, `runtime` what Node has besides (garbage collection, compiling).
 * Empty where it can't be known.
 */
export function threadSeconds(pid: number = process.pid): ReadonlyMap<string, number> {
  const folder = `/proc/${pid}/task`;
  const seconds = new Map<string, number>();
  for (const id of tasks(folder)) {
    const stat = statOf(`${folder}/${id}`);
    // The name, in parentheses, may contain blanks.
    const nameEnd = stat.lastIndexOf(')');
    if (nameEnd < 0) continue; // it has ended meanwhile
    const fields = stat.slice(nameEnd + 2).split(' ');
    const taken = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    const name =
      id === String(pid) ? 'matching' : nameOf(stat.slice(stat.indexOf('(') + 1, nameEnd));
    seconds.set(name, (seconds.get(name) ?? 0) + taken);
  }
  return seconds;
}

const NAMES: ReadonlySet<string> = new Set(Object.values(THREAD_PLACES).map(({ name }) => name));

function nameOf(comm: string): string {
  return NAMES.has(comm) ? comm : 'runtime';
}

function tasks(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no Linux, or /proc is hidden
  }
}

function statOf(task: string): string {
  try {
    return readFileSync(`${task}/stat`, 'utf8');
  } catch {
    return ''; // it has ended since it was listed
  }
}
