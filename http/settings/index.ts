/**
 * Every setting of the exchange, as one record, and its defaults.
 */
export {
  type ClusterRole,
  type ClusterSettings,
  type ClusterTls,
  DEFAULT_CLUSTER,
  NODE_ROLES,
  type NodeRole,
  runsPublicApi,
} from './cluster.ts';
export {
  type CollectorHeaders,
  HEADERS_WORDS,
  parseCollectorHeaders,
} from './collector-headers.ts';
export {
  CROWD_MODEL_LIMITS,
  CROWD_MODES,
  type CrowdMode,
  type CrowdModel,
  DEFAULT_CROWD_MODEL,
  MOST_CROWD_PACE,
} from './crowd.ts';
export { DEFAULT_SETTINGS } from './defaults.ts';
export {
  isSandbox,
  type NewOwners,
  type RedemptionMode,
  type Settings,
  type TracingSettings,
} from './settings.ts';
