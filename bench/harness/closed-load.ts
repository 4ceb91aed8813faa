/**
 * One round of HTTP load by autocannon: each request is sent once, over kept-alive connections, as
 * fast as answers come (a closed loop).
 */
import autocannon from 'autocannon';
import { build } from 'hdr-histogram-js';
import type { Percentiles } from './statistics.ts';

export interface LoadTerms {
  readonly url: string;
  /** A multiple of `connections`. */
  readonly requests: readonly autocannon.Request[];
  readonly connections: number;
  /** Whether an answer's body is that of a success. */
  readonly isSuccess: (body: string) => boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly latencyNs: Percentiles;
  /** Bodies that are no success, broken connections, timeouts. */
  readonly errors: number;
  /** The first body that is no success; '' for none. */
  readonly failure: string;
}

export async function runLoad(terms: LoadTerms): Promise<LoadResult> {
  const { url, requests, connections, isSuccess } = terms;
  const share = requests.length / connections;
  if (!Number.isInteger(share)) throw new Error('requests must be a multiple of connections');
  const histogram = build({ lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 3 });
  let clients = 0;
  let failure = '';
  let [first, last] = [0, 0];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      connections,
      amount: requests.length,
      timeout: 30,
      setupClient: (client) => {
        client.setRequests(requests.slice(clients * share, (clients + 1) * share));
        clients += 1;
      },
      verifyBody: (body) => {
        const isGood = isSuccess(String(body));
        if (!isGood) failure ||= String(body);
        return isGood;
      },
    };
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    // By now autocannon has made the bytes of all requests, and sends in the next turn.
    first = performance.now();
    instance.on('response', (_client, _status, _bytes, milliseconds) => {
      last = performance.now();
      histogram.recordValue(Math.round(milliseconds * 1e6));
    });
  });
  return {
    perSecond: (histogram.totalCount * 1e3) / (last - first),
    latencyNs: {
      p50: histogram.getValueAtPercentile(50),
      p99: histogram.getValueAtPercentile(99),
      p999: histogram.getValueAtPercentile(99.9),
      longest: histogram.maxValue,
    },
    errors: result.errors + result.timeouts + result.mismatches,
    failure,
  };
}
