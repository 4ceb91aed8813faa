/**
 * What is found out about the nodes of etcd before the log uses them, and for metrics. Invariant:
 * an etcd that could lose or refuse what the log keeps is refused, as far as its nodes tell.
 *
 * What they do not tell: whether a disk reports a write as synced too early, and, if /metrics is
 * closed, whether etcd syncs at all.
 */
import { STORE_BOUNDS, STORE_PACE, StoreError } from '../../persistence/shared/index.ts';
import type { EtcdHttp } from './etcd-http.ts';
import { clusterOf } from './etcd-json.ts';
import { CertificateRefusal, NoAnswerError } from './key-value-store.ts';

export interface EtcdReport {
  readonly url: string;
  readonly clusterId: string;
  readonly isLeader: boolean;
  readonly version: string;
  readonly sizeBytes: number;
  /** Such as an alarm for no space. */
  readonly errors: readonly string[];
  /** Both undefined if /metrics was not asked for, is closed or lacks them. */
  readonly quotaBytes: number | undefined;
  readonly syncs: number | undefined;
}

/** A node that gave no answer, and why. */
export interface EtcdSilence {
  readonly url: string;
  readonly error: NoAnswerError;
}

interface JsonStatus {
  readonly header: { readonly member_id?: string };
  readonly version?: string;
  readonly dbSize?: string;
  readonly leader?: string;
  readonly errors?: readonly string[];
}

/** Asks all nodes at the same time; for their metrics, which are long, only if it is told to. */
export function reportsOf(
  http: EtcdHttp,
  urls: readonly string[],
  { withMetrics }: { readonly withMetrics: boolean },
): Promise<readonly (EtcdReport | EtcdSilence)[]> {
  return Promise.all(
    urls.map(async (url): Promise<EtcdReport | EtcdSilence> => {
      try {
        return await reportOf(http, url, withMetrics);
      } catch (error) {
        if (error instanceof NoAnswerError) return { url, error };
        throw error;
      }
    }),
  );
}

async function reportOf(http: EtcdHttp, url: string, withMetrics: boolean): Promise<EtcdReport> {
  const timeoutMs = STORE_PACE.etcdCheckMs;
  const path = '/v3/maintenance/status';
  const { text } = await http.ask({ url: `${url}${path}`, body: '{}', timeoutMs });
  const status = statusIn(text);
  const clusterId = clusterOf(status);
  if (status === undefined || clusterId === undefined) {
    throw new NoAnswerError(`${url} is no node of etcd 3.4 or newer: "${text.slice(0, 100)}"`);
  }
  const metrics = withMetrics ? (await http.ask({ url: `${url}/metrics`, timeoutMs })).text : '';
  return {
    url,
    clusterId,
    isLeader: status.leader !== undefined && status.leader === status.header.member_id,
    version: status.version ?? '',
    sizeBytes: Number(status.dbSize ?? 0),
    errors: status.errors ?? [],
    quotaBytes: metricIn(metrics, 'etcd_server_quota_backend_bytes'),
    syncs: metricIn(metrics, 'etcd_disk_wal_fsync_duration_seconds_count'),
  };
}

function statusIn(text: string): JsonStatus | undefined {
  try {
    // Safe where it is used: `clusterOf` says that etcd made it.
    return JSON.parse(text) as JsonStatus;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function metricIn(text: string, name: string): number | undefined {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

export function isReport(one: EtcdReport | EtcdSilence): one is EtcdReport {
  return !('error' in one);
}

function isSilence(one: EtcdReport | EtcdSilence): one is EtcdSilence {
  return !isReport(one);
}

/**
 * Returns the id of the cluster. Throws NoAnswerError if no node answers, and `log_refused` if one
 * must not be used. Nodes that don't answer are no fault while another one does.
 */
export function checkReports(all: readonly (EtcdReport | EtcdSilence)[]): string {
  const reports = all.filter(isReport);
  const [first] = reports;
  if (first === undefined) throw silenceOf(all.filter(isSilence));
  for (const report of reports) {
    checkNode(report);
    if (report.clusterId === first.clusterId) continue;
    throw new StoreError(
      'log_refused',
      `${first.url} and ${report.url} are nodes of two etcd clusters: --etcd must list the nodes ` +
        'of one',
    );
  }
  return first.clusterId;
}

function silenceOf(silent: readonly EtcdSilence[]): Error {
  const reasons = silent.map(({ error }) => error.message).join('; ');
  // Those of the operator are wrong, and not a node that is down.
  if (silent.every(({ error }) => error instanceof CertificateRefusal)) {
    return new StoreError('log_refused', reasons);
  }
  const remedy = 'start etcd, or correct --etcd, its http or https included';
  return new NoAnswerError(`no node of etcd answers (${reasons}): ${remedy}`);
}

function checkNode({ url, version, errors, sizeBytes, quotaBytes, syncs }: EtcdReport): void {
  const fault = (what: string): StoreError =>
    new StoreError('log_refused', `etcd at ${url} ${what}`);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 3 || (major === 3 && minor < 4)) {
    throw fault(`has version ${version}: install 3.4 or newer`);
  }
  const alarm = errors.find((error) => /alarm/i.test(error));
  if (alarm !== undefined) {
    throw fault(
      `reports "${alarm.trim()}". For NOSPACE, compact and defragment it or raise its ` +
        '--quota-backend-bytes, and then disarm the alarm with etcdctl; for CORRUPT, replace the ' +
        'node',
    );
  }
  const { etcdQuotaBytes, etcdFullness } = STORE_BOUNDS;
  if (quotaBytes !== undefined && quotaBytes < etcdQuotaBytes) {
    throw fault(
      `keeps ${quotaBytes} bytes at the most: start it with --quota-backend-bytes ` +
        `${etcdQuotaBytes} or more`,
    );
  }
  if (quotaBytes !== undefined && sizeBytes > quotaBytes * etcdFullness) {
    throw fault(
      `is nearly full: it has ${sizeBytes} bytes of ${quotaBytes}. Compact and defragment it ` +
        'with etcdctl, or raise its --quota-backend-bytes',
    );
  }
  if (syncs === 0) {
    throw fault(
      'has never synced its log to the disk: start it without --unsafe-no-fsync. With it, a ' +
        'power failure loses what was acknowledged',
    );
  }
}
