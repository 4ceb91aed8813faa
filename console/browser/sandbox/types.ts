/** The answers of the sandbox's routes on the operator's listener. */
import type { Static } from 'typebox';
import type * as sandbox from '../../../sandbox/admin/index.ts';
import type { FaultRecord } from '../../../sandbox/faults/index.ts';

export type Fault = Static<typeof FaultRecord>;
export type FaultHit = Fault['hits'][number];
export type Crowd = Static<typeof sandbox.CrowdReport>;
export type ExchangeTime = Static<typeof sandbox.ExchangeTime>;
export type Checkpoint = Static<typeof sandbox.CheckpointRecord>;
