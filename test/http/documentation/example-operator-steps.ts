// Requests of the operator in the example session, which come last.
import { setTimeout } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
import { PROGRAM_VERSION } from '../../../persistence/shared/index.ts';
import { OPERATOR_EXPLORER_STEPS } from './example-explorer-steps.ts';
import {
  type Asked,
  CONSOLE_STEPS,
  conditionId,
  NEG_RISK_EVENT,
  noted,
  READY,
  SETTLED,
  type Step,
  type World,
  yes,
} from './example-step.ts';

/** A code is another one in each run. */
const INVITATION = 'qMK1c5VOYl9dMQAAHc1lAGpwgLrm4T0YkVh2Lw0sXcNfuA3p';

function noteInvitation(response: Json, { notes }: World): void {
  const { invitation = '' } =
    /"invitation":"(?<invitation>[^"]+)"/.exec(JSON.stringify(response))?.groups ?? {};
  notes.set('invitation', invitation);
}

const OPERATOR_ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const ELECTION = '11';
const CREATED_EVENT = 'createdEvent';
const FAULT = 'fault';
function electionMarket({ exchange: { running } }: World): string {
  const markets = [...running.services.registry.markets()];
  return markets.find(({ eventId }) => eventId === ELECTION)?.conditionId ?? '';
}

/** A write of the operator, with its reason. */
function write(
  route: string,
  reason: string,
  asked: (world: World) => { readonly params?: Record<string, string>; readonly body?: JsonObject },
): Step {
  return {
    route,
    by: 'operator',
    ask: (world) => {
      const { body, ...rest } = asked(world);
      return { ...rest, body: { ...body, by: 'ops@example.com', reason } };
    },
  };
}

function made(name: string, field = 'id') {
  return (response: Json, { notes }: World) => {
    if (isJsonObject(response)) notes.set(name, String(response[field]));
  };
}
function ofMade(name: string) {
  return (world: World) => ({ id: noted(world, name) });
}
const ADA = `0x${'d0'.repeat(19)}01`;

/** Actions on texts of the catalog, which are not in the journal. */
const CATALOG_ACTS: readonly Step[] = [
  {
    ...write('POST /tags', 'For the new season', () => ({
      body: { slug: 'boats', label: 'Boats' },
    })),
    note: made('tag'),
  },
  write('PUT /tags/{id}', 'A better word', (world) => ({
    params: ofMade('tag')(world),
    body: { label: 'Boat races' },
  })),
  {
    ...write('POST /series', 'For the new season', () => ({
      body: { slug: 'regattas', title: 'Regattas', recurrence: 'yearly' },
    })),
    note: made('series'),
  },
  write('PUT /series/{id}', 'A better word', (world) => ({
    params: ofMade('series')(world),
    body: { title: 'Great regattas' },
  })),
  {
    ...write('POST /creators', 'Contract of 3 June', () => ({
      body: { creatorName: 'Rowing club', creatorHandle: '@rowing', sites: ['boats'] },
    })),
    note: made('creator'),
  },
  write('PUT /creators/{id}', 'It has a page now', (world) => ({
    params: ofMade('creator')(world),
    body: { creatorUrl: 'https://rowing.example' },
  })),
  write('PUT /events/{id}', 'A typo', (world) => ({
    params: { id: noted(world, CREATED_EVENT) },
    body: { title: 'Who wins the great regatta?', tags: ['boats'], series: ['regattas'] },
  })),
  write('PUT /markets/{id}', 'A typo', (world) => ({
    params: { id: conditionId(world) },
    body: { description: 'By the official record.' },
  })),
  write('POST /comments/{id}/moderate', 'Reported three times', (world) => ({
    params: { id: noted(world, 'commentId') },
    body: { act: 'hide' },
  })),
  { route: 'GET /comments/reported', by: 'operator' },
  write('POST /profiles/{address}/clear', 'Terms of use, section 5', () => ({
    params: { address: ADA },
  })),
  { route: 'GET /catalog-actions', by: 'operator', ask: () => ({ query: { limit: 2 } }) },
];

const FIRST_CHECKPOINT = { params: { checkpoint_id: '1' } };

/** The size depends on when threads write, and each start makes a new stream id. */
function withFixedFields(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(withFixedFields);
  if (!isJsonObject(answer)) return answer;
  const { data } = answer;
  return {
    ...answer,
    ...(data === undefined ? { bytes: 1_024_000 } : { data: withFixedFields(data) }),
    ...(answer.stream_id === undefined ? {} : { stream_id: NEW_STREAM }),
  };
}

const NEW_STREAM = '7e3f2a52-3c61-4a87-9d58-0c3f6b1f8a10';

const BACKUP_TIMES = {
  started_at: '2026-06-03T01:12:06.930Z',
  ended_at: '2026-06-03T01:12:09.214Z',
};
const BACKUP = {
  name: 'backup-20260603T011206.930Z.tar',
  seq: 240,
  made_at: '2026-06-03T01:12:07.102Z',
  bytes: 1_478_656,
};
const BACKUP_BEGUN = { name: BACKUP.name, started_at: BACKUP_TIMES.started_at, bytes: 0 };
const SNAPSHOT = { seq: 240, made_at: '2026-06-03T01:12:12.020Z', bytes: 60_412 };

// Their times, sizes and hashes differ in each run.
const BACKUP_STEPS: readonly Step[] = [
  {
    route: 'POST /backups',
    by: 'operator',
    note: made('backup', 'name'),
    show: () => BACKUP_BEGUN,
  },
  {
    prepare: async ({ exchange: { operator } }) => {
      while (/"running":\{/.test((await operator('GET', '/backups')).text)) await setTimeout(20);
    },
  },
  {
    route: 'GET /backups',
    by: 'operator',
    show: () => ({
      folder: '/srv/exchange/data/backups',
      running: null,
      last: {
        name: BACKUP.name,
        ...BACKUP_TIMES,
        error: '',
        seq: BACKUP.seq,
        bytes: BACKUP.bytes,
        sha256: 'a7'.repeat(32),
      },
      data: [BACKUP],
    }),
  },
  {
    route: 'DELETE /backups/{name}',
    by: 'operator',
    ask: (world) => ({ params: { name: noted(world, 'backup') } }),
    show: () => BACKUP,
  },
  { route: 'POST /snapshots', by: 'operator', show: () => SNAPSHOT },
  {
    route: 'GET /snapshots',
    by: 'operator',
    show: () => ({ every_seconds: 300, durable_seq: 251, data: [SNAPSHOT] }),
  },
];

function checkpointStep(route: string, asked: Asked): Step {
  return { route, by: 'operator', ask: () => asked, show: withFixedFields };
}

/** Requests of the sandbox. */
const SANDBOX_STEPS: readonly Step[] = [
  {
    route: 'POST /crowd',
    by: 'operator',
    ask: (world) => ({ body: { mode: 'off', market: conditionId(world) } }),
  },
  { route: 'GET /crowd', by: 'operator' },
  {
    route: 'POST /faults',
    by: 'operator',
    ask: (world) => ({
      body: {
        kind: 'lost_acknowledgement',
        match: { market: conditionId(world), path: '/order' },
        probability: 0.5,
        seed: 7,
        count: 3,
        answer: '502',
      },
    }),
    note: (response, { notes }) => {
      if (isJsonObject(response)) notes.set(FAULT, String(response.id));
    },
  },
  { route: 'GET /faults', by: 'operator' },
  {
    route: 'DELETE /faults/{fault_id}',
    by: 'operator',
    ask: (world) => ({ params: { fault_id: noted(world, FAULT) } }),
  },
  { route: 'DELETE /faults', by: 'operator' },
  checkpointStep('POST /checkpoints', { body: { name: 'quiet book' } }),
  checkpointStep('GET /checkpoints', {}),
  checkpointStep('POST /checkpoints/{checkpoint_id}/restore', FIRST_CHECKPOINT),
  checkpointStep('DELETE /checkpoints/{checkpoint_id}', FIRST_CHECKPOINT),
  { route: 'POST /time', by: 'operator', ask: () => ({ body: { seconds: 86_400 } }) },
  { route: 'GET /time', by: 'operator' },
];

export const OPERATOR_STEPS: readonly Step[] = [
  { prepare: (world) => world.maker.place({ tokenId: yes(world), priceTicks: 3000, lots: 1000 }) },
  write('DELETE /owners/{address}/orders', 'Asked for by ticket 4713', (world) => ({
    params: { address: world.maker.address },
    body: { market: conditionId(world) },
  })),
  write('POST /accounts', 'KYC file 8812 is complete', () => ({
    body: { address: OPERATOR_ACCOUNT, owner: OPERATOR_ACCOUNT, wallet: 'eoa' },
  })),
  write('POST /deposits', 'Wire of 3 June arrived', () => ({
    body: { account: OPERATOR_ACCOUNT, amount: '250.5', key: 'wire-2041' },
  })),
  write('POST /withdrawals', 'Asked for by ticket 4711', () => ({
    body: { account: OPERATOR_ACCOUNT, amount: '50', key: 'payout-117' },
  })),
  {
    route: 'POST /invitations',
    by: 'operator',
    ask: () => ({ body: { amount: '500' } }),
    note: noteInvitation,
    show: () => ({
      amount: '500',
      ends: '2026-06-10T18:12:06.930Z',
      invitations: [{ invitation: INVITATION, path: `/ui/#/join/${INVITATION}` }],
    }),
  },
  {
    route: 'POST /invitations/accept',
    by: 'wallet',
    ask: (world) => ({ body: { invitation: noted(world, 'invitation') } }),
    shownBody: { invitation: INVITATION },
  },
  {
    route: 'GET /accounts/{address}',
    by: 'operator',
    ask: () => ({ params: { address: OPERATOR_ACCOUNT } }),
  },
  write('POST /owners/{address}/standing', 'Terms of use, section 4', () => ({
    params: { address: OPERATOR_ACCOUNT },
    body: { standing: 'closed_only' },
  })),
  {
    route: 'GET /owners/{address}',
    by: 'operator',
    ask: (world) => ({ params: { address: world.maker.address } }),
  },
  { route: 'GET /owners', by: 'operator' },
  write('DELETE /keys/{api_key}', 'Seen in a public repository', (world) => ({
    params: { api_key: world.maker.credentials.apiKey },
  })),
  write('POST /exchange/state', 'New version at 12:00', () => ({
    body: { state: 'cancel_only' },
  })),
  write('POST /markets/{condition_id}/state', 'The match is interrupted', (world) => ({
    params: { condition_id: conditionId(world) },
    body: { state: 'cancel_only' },
  })),
  write('POST /markets/{condition_id}/open', 'Copied from our other venue', (world) => ({
    params: { condition_id: world.exchange.negRisk.conditionId },
  })),
  write('POST /markets/{condition_id}/terms', 'Its price is near 0', (world) => ({
    params: { condition_id: conditionId(world) },
    body: { tick_size: '0.001', minimum_order_size: '10' },
  })),
  write('POST /builders/{builder_code}', 'Contract of 2 June', () => ({
    params: { builder_code: `0x${'b1'.repeat(32)}` },
    body: {
      account: OPERATOR_ACCOUNT,
      fee_share_bps: 3000,
      taker_rate_bps: 50,
      maker_rate_bps: 0,
    },
  })),
  { route: 'GET /builders', by: 'operator' },
  write('POST /markets/{condition_id}/close', 'The match is over', (world) => ({
    params: { condition_id: conditionId(world) },
  })),
  write('POST /accounts/{address}/split', 'Asked for by ticket 4712', (world) => ({
    params: { address: world.taker.address },
    body: { market: world.exchange.negRisk.conditionId, amount: '5', key: 'ticket-4712' },
  })),
  write('POST /accounts/{address}/merge', 'Asked for by ticket 4713', (world) => ({
    params: { address: world.taker.address },
    body: { market: conditionId(world), amount: '5', key: 'ticket-4713' },
  })),
  write('POST /accounts/{address}/convert', 'Asked for by ticket 4714', (world) => ({
    params: { address: world.taker.address },
    body: {
      event_id: noted(world, NEG_RISK_EVENT),
      markets: [world.exchange.negRisk.conditionId],
      amount: '5',
      key: 'ticket-4714',
    },
  })),
  write('POST /markets/{condition_id}/resolve', 'Final score 2:1', (world) => ({
    params: { condition_id: conditionId(world) },
    body: { payout: '1', redeem_all: false },
  })),
  write('POST /accounts/{address}/redeem', 'The account is being closed', (world) => ({
    params: { address: world.taker.address },
    body: { market: conditionId(world), key: 'ticket-4715' },
  })),
  {
    ...write('POST /events', 'Approved by the board on 2 June', () => ({
      body: {
        slug: 'regatta-2030',
        title: 'Who wins the regatta?',
        description: 'By the official list of the race.',
        endDate: '2030-06-01T12:00:00Z',
        negRisk: true,
        tags: [{ slug: 'rowing', label: 'Rowing' }],
        markets: [
          {
            slug: 'regatta-2030-red',
            question: 'Will the red boat win?',
            groupItemTitle: 'Red',
            taker_fee_bps: 441,
            fee_exponent: 1,
            seconds_delay: 3,
          },
          {
            slug: 'regatta-2030-nobody',
            question: 'Will no boat arrive?',
            groupItemTitle: 'Nobody',
            tick_size: '0.001',
          },
        ],
      },
    })),
    note: (response, { notes }) => {
      if (isJsonObject(response)) notes.set(CREATED_EVENT, String(response.event_id));
    },
  },
  write('POST /events/{event_id}/markets', 'A late entry', (world) => ({
    params: { event_id: noted(world, CREATED_EVENT) },
    body: {
      slug: 'regatta-2030-blue',
      question: 'Will the blue boat win?',
      groupItemTitle: 'Blue',
    },
  })),
  write('POST /events/{event_id}/open', 'The list of candidates is final', () => ({
    params: { event_id: ELECTION },
  })),
  write('POST /events/{event_id}/resolve', 'Certified by the board of elections', (world) => ({
    params: { event_id: ELECTION },
    body: { winner: electionMarket(world), redeem_all: true },
  })),
  ...CATALOG_ACTS,
  ...BACKUP_STEPS,
  ...SANDBOX_STEPS,
  SETTLED,
  { route: 'GET /operators', by: 'operator' },
  { route: 'GET /approvals', by: 'operator' },
  { route: 'GET /accounts', by: 'operator', ask: () => ({ query: { limit: 2 } }) },
  { route: 'GET /actions', by: 'operator', ask: () => ({ query: { limit: 2 } }) },
  ...OPERATOR_EXPLORER_STEPS,
  {
    route: 'GET /audit',
    by: 'operator',
    // Heartbeat ids are random, so the hash differs in each run.
    show: (response) =>
      isJsonObject(response) ? { ...response, stateHash: '5e'.repeat(32) } : response,
  },
  { route: 'GET /healthz', by: 'operator' },
  { route: 'GET /readyz', by: 'operator', show: () => READY },
  ...CONSOLE_STEPS.map((step): Step => ({ ...step, by: 'operator' })),
  {
    route: 'GET /metrics',
    by: 'operator',
    // The metrics differ at each scrape.
    show: () => '# HELP process_cpu_user_seconds_total Total user CPU time spent in seconds.\n',
  },
  {
    route: 'GET /openapi.json',
    by: 'operator',
    show: () => ({
      openapi: '3.1.0',
      info: {
        title: "outcome-exchange: the operator's API",
        version: PROGRAM_VERSION,
        description: 'What it is',
      },
      servers: [],
      tags: [],
      paths: {},
      components: {},
    }),
  },
];
