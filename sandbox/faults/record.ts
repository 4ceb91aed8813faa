/** A fault as the operator's routes show it. */
import { type Static, Type } from 'typebox';
import { isoTime } from '../../http/codec/index.ts';
import { OptionalText, OrNull, onlySet, Text } from '../../http/parameters/index.ts';
import type { Fault, FaultHit } from './fault.ts';
import { FAULT_KINDS } from './kinds.ts';

const Hit = Type.Object({
  request_id: Text('`x-request-id` of the answer; "" where no request was hit'),
  method: Type.String(),
  path: Type.String(),
  owner: Text('The address that signed; "" for nobody'),
  account: Text('The account that it was about; "" for none'),
  market: Text('The condition id of its market; "" for none'),
  time: Text("The exchange's time, ISO 8601"),
  done: Text('What the fault did'),
});

const Matched = Type.Object({
  api_key: OptionalText('As in the request'),
  account: OptionalText('Lower case'),
  owner: OptionalText('Lower case'),
  market: OptionalText('Lower case'),
  method: OptionalText('As in the request'),
  path: OptionalText('As in the request'),
  user_agent: OptionalText('Lower case'),
});

/** The keys of every fault. The kind's own parameters stand beside them. */
export const FaultRecord = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(FAULT_KINDS.map(({ name }) => name)),
    match: Matched,
    probability: Type.Number(),
    count: OrNull(Type.Integer(), 'null for without end'),
    skip: Type.Integer(),
    seed: Type.Integer(),
    after_seconds: Type.Number(),
    for_seconds: OrNull(Type.Number(), 'null for until it is removed'),
    created: Text("The exchange's time, ISO 8601"),
    state: Type.Enum(['waiting', 'active', 'spent', 'over'], {
      description:
        'waiting: it has not begun; spent: it fired `count` times; over: its time has passed',
    }),
    matched: Type.Integer({ description: 'How many matches it had' }),
    fired: Type.Integer({ description: 'How often it fired' }),
    hits: Type.Array(Hit, { description: 'The newest hits, the oldest of them first' }),
    hits_dropped: Type.Integer({ description: 'Older hits that are not kept' }),
  },
  { additionalProperties: Type.Unknown({ description: "The kind's own parameters" }) },
);

function hitRecord({ requestId, timeMs, done, ...hit }: FaultHit): Static<typeof Hit> {
  return { request_id: requestId, ...hit, time: isoTime(timeMs), done };
}

/** `nowMs` is the exchange's clock. */
export function faultRecord(fault: Fault, nowMs: number): Static<typeof FaultRecord> {
  const { id, definition, createdMs, matched, fired, hits } = fault;
  const { kind, match, probability, count, skip, seed } = definition;
  const { apiKey: api_key, userAgent: user_agent, ...sameNames } = match;
  return {
    id,
    kind: kind.name,
    match: onlySet({ api_key, ...sameNames, user_agent }),
    probability,
    count: count ?? null,
    skip,
    seed,
    after_seconds: definition.afterSeconds,
    for_seconds: definition.forSeconds ?? null,
    ...definition.parameters,
    created: isoTime(createdMs),
    state: fault.stateAt(nowMs),
    matched,
    fired,
    hits: hits.map(hitRecord),
    hits_dropped: fired - hits.length,
  };
}
