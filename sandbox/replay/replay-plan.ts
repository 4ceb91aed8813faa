/** Turns the options of `replay` into what it does. */

import { type ReadText, readNamedJson, readNamedText } from '../../cli/parser/named-files.ts';
import { SECOND_MS } from '../../engine/model/index.ts';
import { DEFAULT_DOMAINS, parseDomains, type SigningDomain } from '../../http/signing/domains.ts';
import { REPLAY_OPTIONS, type ReplayValues } from './replay-options.ts';

export interface ReplayPlan {
  readonly file: string;
  /** The base URLs of both listeners, without a slash at the end. */
  readonly url: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly chainId: number;
  readonly domains: readonly SigningDomain[];
  readonly seed: string;
  /** The market of the exchange; undefined for the recorded one. */
  readonly market: string | undefined;
  readonly recordedMarket: string | undefined;
  readonly yesAsset: string | undefined;
  readonly speed: number;
  readonly longestPauseMs: number;
  readonly isStrict: boolean;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Throws `UsageError`. */
export function planReplay(values: ReplayValues, file: string, readText: ReadText): ReplayPlan {
  const { adminToken, adminTokenFile, domains } = values;
  return {
    file,
    url: withoutSlash(values.url),
    adminUrl: withoutSlash(values.adminUrl),
    adminToken:
      adminToken ??
      readNamedText(REPLAY_OPTIONS.adminTokenFile.flag, adminTokenFile, readText).trim(),
    chainId: values.chain,
    domains:
      domains === undefined
        ? DEFAULT_DOMAINS
        : readNamedJson(REPLAY_OPTIONS.domains.flag, domains, readText, parseDomains),
    seed: values.seed,
    market: values.market?.toLowerCase(),
    recordedMarket: values.recordedMarket?.toLowerCase(),
    yesAsset: values.yesAsset,
    speed: values.speed,
    longestPauseMs: values.longestPause * SECOND_MS,
    isStrict: values.strictReplay,
  };
}
