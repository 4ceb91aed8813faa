/** The kinds of faults of streams, books and the status of trades. */
import { Type } from 'typebox';
import { TRADE_STATUSES } from '../../http/format/index.ts';
import { FAULT_BOUNDS } from './bounds.ts';
import { defineFaultKind, type FaultKind, SecondsParameter } from './kind.ts';

export const MUTED_SOCKET = defineFaultKind({
  name: 'muted_socket',
  summary: 'A socket is sent nothing more, except answers to its pings',
  site: 'stream',
  meetsSockets: true,
  parameters: {
    seconds: Type.Optional(
      Type.Number({
        minimum: 1e-3,
        maximum: FAULT_BOUNDS.seconds,
        description: 'How long; without it until the fault is removed',
      }),
    ),
  },
  defaultCount: 1,
});

export const CLOSED_SOCKET = defineFaultKind({
  name: 'closed_socket',
  summary: 'A socket is closed',
  site: 'stream',
  meetsSockets: true,
  parameters: {
    code: Type.Enum([1000, 1001, 1006, 1008, 1011, 1012, 1013, 4008, 4029], {
      default: 1006,
      description: 'The close code; 1006 ends the connection without a close frame',
    }),
  },
  defaultCount: 1,
});

export const SEQUENCE_GAP = defineFaultKind({
  name: 'sequence_gap',
  summary: 'A numbered message is left out, and its number is not used again',
  site: 'stream',
  parameters: {},
  defaultCount: 1,
});

export const STALE_BOOK = defineFaultKind({
  name: 'stale_book',
  summary: 'From its next change on, the book of a market stands still, and later catches up',
  site: 'stream',
  parameters: {
    seconds: SecondsParameter('How long it stands still', { default: 10, minimum: 1e-3 }),
    where: Type.Enum(['everywhere', 'stream', 'rest'], {
      default: 'everywhere',
      description: 'stream: on /ws/market; rest: in GET /book and the other prices; or in both',
    }),
  },
  defaultCount: 1,
});

export const TRADE_STATUS = defineFaultKind({
  name: 'trade_status',
  summary:
    'Clients are told these statuses of a trade, one after the other; it is settled all the same',
  site: 'trade',
  parameters: {
    steps: Type.Array(
      Type.Object(
        {
          status: Type.Enum([...TRADE_STATUSES]),
          after_seconds: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: FAULT_BOUNDS.seconds,
              description: 'How long after the step before, or after the match; 0 if left out',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: FAULT_BOUNDS.statusSteps,
        description: 'The last status stays until the fault is removed',
      },
    ),
  },
  defaultCount: 1,
});

export const STREAM_FAULT_KINDS: readonly FaultKind[] = [
  MUTED_SOCKET,
  CLOSED_SOCKET,
  SEQUENCE_GAP,
  STALE_BOOK,
  TRADE_STATUS,
];
