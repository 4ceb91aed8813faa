import { Type } from 'typebox';
import { ANY_BODY } from '../../http/api/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { Text } from '../../http/parameters/index.ts';
import { FAULT_BOUNDS } from '../faults/bounds.ts';
import { definitionIn, FaultRequest } from '../faults/definition.ts';
import { FaultRecord, faultRecord } from '../faults/record.ts';
import { defineSandboxRoute } from './services.ts';

const FaultList = Type.Object({
  data: Type.Array(FaultRecord, { maxItems: FAULT_BOUNDS.faults }),
});

/** POST /faults: makes requests, sockets or trades fail from now on (docs/sandbox.md). */
export const postFault = defineSandboxRoute({
  method: 'POST',
  path: '/faults',
  summary: 'Make requests, sockets or trades fail',
  auth: 'operator',
  sandbox: true,
  body: ANY_BODY,
  documentedBody: FaultRequest,
  response: FaultRecord,
  needs: ['faults', 'registry'],
  handler: ({ body, services: { faults, registry } }) =>
    faultRecord(faults.add(definitionIn(body, registry)), faults.nowMs),
});

/** GET /faults: all faults with their hits, the oldest first; also those that are over. */
export const getFaults = defineSandboxRoute({
  method: 'GET',
  path: '/faults',
  summary: 'The faults and what they hit',
  auth: 'operator',
  sandbox: true,
  response: FaultList,
  needs: ['faults'],
  handler: ({ services: { faults } }) => ({
    data: faults.faults.map((fault) => faultRecord(fault, faults.nowMs)),
  }),
});

/** DELETE /faults/{fault_id}: removes a fault and answers with it. What it holds back goes on. */
export const deleteFault = defineSandboxRoute({
  method: 'DELETE',
  path: '/faults/{fault_id}',
  summary: 'Remove a fault',
  auth: 'operator',
  sandbox: true,
  params: Type.Object({ fault_id: Text('The `id` of the fault') }),
  response: FaultRecord,
  needs: ['faults'],
  handler: ({ params, services: { faults } }) => {
    const fault = faults.remove(params.fault_id);
    if (fault !== undefined) return faultRecord(fault, faults.nowMs);
    throw new ApiError('fault_unknown', { field: 'fault_id', actual: echo(params.fault_id) });
  },
});

/** DELETE /faults: removes all faults and answers with them. */
export const deleteFaults = defineSandboxRoute({
  method: 'DELETE',
  path: '/faults',
  summary: 'Remove all faults',
  auth: 'operator',
  sandbox: true,
  response: FaultList,
  needs: ['faults'],
  handler: ({ services: { faults } }) => ({
    data: faults.clear().map((fault) => faultRecord(fault, faults.nowMs)),
  }),
});
