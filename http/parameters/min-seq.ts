/**
 * Reading one's own writes: a read can require that its answer shows a given change. Every read
 * shows all changes that were applied when it arrived, so only a seq of the future is refused.
 */
import { Type } from 'typebox';
import { ApiError } from '../errors/index.ts';

/** The parameter of a query. */
export const MIN_SEQ = {
  min_seq: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Number of a change that the answer must show, such as the `X-Seq` of an earlier ' +
        'answer. Every answer shows all changes that were applied when its request arrived',
    }),
  ),
};

/** Throws `invalid_parameter` for a seq that is not applied yet. */
export function refuseLaterSeq(minSeq: number | undefined, appliedSeq: number): void {
  if (minSeq === undefined || minSeq <= appliedSeq) return;
  const limit = `at most ${appliedSeq}, the exchange's last change`;
  throw new ApiError('invalid_parameter', { field: 'min_seq', limit, actual: minSeq });
}
