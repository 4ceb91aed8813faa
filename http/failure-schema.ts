/**
 * The body of a failure as a schema, for the documentation and for answers that hold failures.
 *
 * Invariant: its codes are those of error-table.ts; errors.md explains its details.
 */
import { Type } from 'typebox';
import { ERRORS, type ErrorEntry } from './error-table.ts';

const rowOf = ([code, { status, docs }]: [string, ErrorEntry]): string =>
  `| \`${code}\` | ${status} | ${docs.replaceAll('|', '\\|')} |`;

const CODES = ['| code | status | when |', '|---|---|---|', ...Object.entries(ERRORS).map(rowOf)];

const text = (description: string) => Type.Optional(Type.String({ description }));

export const Failure = Type.Object(
  {
    error: Type.String({
      description: 'A sentence, in the wording that the family of clients expects',
    }),
    code: Type.Enum(Object.keys(ERRORS), {
      description: `Stable; go by it.\n\n${CODES.join('\n')}`,
    }),
    field: text('What is at fault: a path into the body, a parameter or a header'),
    limit: Type.Optional(
      Type.Unknown({ description: 'What it must be: a number, a range, or words' }),
    ),
    actual: Type.Optional(Type.Unknown({ description: 'What it is; long values are cut' })),
    reason: text('Why a value does not fit'),
    position: Type.Optional(Type.Integer({ description: 'Where a body stops being JSON' })),
    asset: text('`cash` or the token id'),
    required: text('What the order needs, a decimal'),
    available: text('What the account has free, a decimal'),
    held: text('What open orders hold, a decimal'),
    orderHash: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "The order's id, as soon as its signature was checked",
      }),
    ),
    requestId: text('What to look for in the log'),
  },
  { description: 'Why a request was refused, and what mends it' },
);
