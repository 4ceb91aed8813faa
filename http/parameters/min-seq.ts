/**
 * How a client reads its own writes: any read of what is projected can be asked to be no older than
 * a change. All of them show everything that was done when they are asked, so what is left to check
 * is whether there was such a change at all.
 */
import { Type } from 'typebox';
import { ApiError } from '../errors/index.ts';

/** The parameter of a query. */
export const MIN_SEQ = {
  min_seq: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The answer shows at least this change of the exchange, such as the `X-Seq` of an answer ' +
        'before. Every answer shows all that was done when it was asked for',
    }),
  ),
};

/** Throws `invalid_parameter` for a change that has not been. */
export function refuseLaterSeq(minSeq: number | undefined, appliedSeq: number): void {
  if (minSeq === undefined || minSeq <= appliedSeq) return;
  const limit = `at most ${appliedSeq}, the exchange's last change`;
  throw new ApiError('invalid_parameter', { field: 'min_seq', limit, actual: minSeq });
}
