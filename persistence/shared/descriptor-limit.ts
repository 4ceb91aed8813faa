/**
 * How many files this process may open at once. Node raises the soft limit to the hard one when it
 * starts.
 */
import { existsSync, readFileSync } from 'node:fs';

/** On Linux alone. */
const LIMITS = '/proc/self/limits';

/** Infinite where the system has no limit. */
export function descriptorLimit(): number {
  if (!existsSync(LIMITS)) return limitInReport();
  const [, soft = ''] = /^Max open files +(\S+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? [];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** On every system. But a report asks each thread for its stack, which takes 40 ms of each. */
export function limitInReport(): number {
  // Node's types lack `excludeNetwork`.
  const report: { getReport(): object; excludeNetwork?: boolean } = process.report;
  // Otherwise the report looks up the host names of all peers.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as Report;
  const limit = userLimits?.open_files.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}

interface Report {
  /** Absent on Windows. */
  readonly userLimits?: { readonly open_files: { readonly soft: number | 'unlimited' } };
}
