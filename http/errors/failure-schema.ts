/**
 * The body of a failure as a schema, for the documentation and for answers that hold failures.
 *
 * Invariant: its codes are those of error-table.ts; errors.md explains its details.
 */
import { Type } from 'typebox';
import { ERRORS, type ErrorEntry } from './error-table.ts';

function rowOf([code, { status, docs }]: [string, ErrorEntry]): string {
  return `| \`${code}\` | ${status} | ${docs.replaceAll('|', '\\|')} |`;
}

const CODES = ['| code | status | when |', '|---|---|---|', ...Object.entries(ERRORS).map(rowOf)];

function text(description: string) {
  return Type.Optional(Type.String({ description }));
}
function whole(description: string) {
  return Type.Optional(Type.Integer({ description }));
}
function other(description: string) {
  return Type.Optional(Type.Unknown({ description }));
}

/** What a failure may say besides; errors.md has the same names. */
export const FAILURE_DETAILS = {
  field: text('What is at fault: a path into the body, a parameter or a header'),
  limit: other('What it must be: a number, a range, or words'),
  actual: other('What it is; long values are cut'),
  asset: text('`cash` or the token id'),
  required: text('What the order needs, a decimal'),
  available: text('What the account has free, a decimal'),
  held: text('What open orders hold, a decimal'),
  position: whole('Where a body stops being JSON'),
  reason: text('Why a value does not fit'),
  recovered: other('Each domain or chain that was tried, and whose signature it is there'),
  serverTimeMs: whole("The server's clock"),
  windowMs: whole('How far off a timestamp may be'),
  scope: text('What is counted together'),
  row: text('Its name in GET /limits'),
  windowSeconds: Type.Optional(Type.Number({ description: 'How long it is counted' })),
  retryAfterSeconds: whole('How long to wait'),
  crossed: text('Which side of the book a post-only order would cross'),
  orderHash: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "The order's id, as soon as its signature was checked",
    }),
  ),
  revokedAt: text('When the key was revoked, ISO 8601'),
  nextNonce: text('The first nonce that has no revoked key'),
  heartbeat_id: text('What the next beat must carry'),
  method: text('The method that was asked for'),
  path: text('The path that was asked for'),
  routes: other('What is served'),
  allowed: other('The methods that the path takes'),
  type: text('The kind of failure, in the words of the catalog'),
  requestId: text('What to look for in the log'),
} as const;

export const Failure = Type.Object(
  {
    error: Type.String({
      description: 'A sentence, in the wording that the family of clients expects',
    }),
    code: Type.Enum(Object.keys(ERRORS), {
      description: `Stable; go by it.\n\n${CODES.join('\n')}`,
    }),
    ...FAILURE_DETAILS,
  },
  { description: 'Why a request was refused, and what mends it' },
);
