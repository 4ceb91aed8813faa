/** One round of HTTP load by autocannon: each request is sent once, over kept-alive connections. */
import autocannon from 'autocannon';
import { build } from 'hdr-histogram-js';
import type { Percentiles } from './statistics.ts';

export interface LoadTerms {
  readonly url: string;
  /** A multiple of `connections`. */
  readonly requests: readonly autocannon.Request[];
  readonly connections: number;
  /** Requests a second over all connections; as fast as answers come when undefined. */
  readonly rate?: number;
  /** Whether an answer's body is that of a success. */
  readonly isSuccess: (body: string) => boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly latencyNs: Percentiles;
  /** Answers that are not 2xx, bodies that are no success, broken connections, timeouts. */
  readonly errors: number;
}

export async function runLoad(terms: LoadTerms): Promise<LoadResult> {
  const { url, requests, connections, rate, isSuccess } = terms;
  const share = requests.length / connections;
  if (!Number.isInteger(share)) throw new Error('requests must be a multiple of connections');
  const histogram = build({ lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 3 });
  let clients = 0;
  let failures = 0;
  let last = 0;
  const start = performance.now();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      connections,
      amount: requests.length,
      ...(rate === undefined ? {} : { overallRate: rate }),
      timeout: 30,
      setupClient: (client) => {
        client.setRequests(requests.slice(clients * share, (clients + 1) * share));
        clients += 1;
      },
      verifyBody: (body) => isSuccess(String(body)),
    };
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      last = performance.now();
      histogram.recordValue(Math.round(milliseconds * 1e6));
      if (status < 200 || status > 299) failures += 1;
    });
  });
  return {
    perSecond: (histogram.totalCount * 1e3) / (last - start),
    latencyNs: {
      p50: histogram.getValueAtPercentile(50),
      p99: histogram.getValueAtPercentile(99),
      p999: histogram.getValueAtPercentile(99.9),
      longest: histogram.maxValue,
    },
    errors: failures + result.errors + result.timeouts + result.mismatches,
  };
}
