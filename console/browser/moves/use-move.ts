/**
 * Moves between cash and tokens. Each has a key, so that a move whose answer was lost is done once
 * when it is sent again.
 */
import { useRef } from 'preact/hooks';
import { moveKey } from '../signing/index.ts';
import { ExchangeError, sendAny } from '../wire/index.ts';

export type MoveName = 'split' | 'merge' | 'redeem' | 'convert';

/** What a move says, without its key. */
export type MoveTerms = Readonly<Record<string, unknown>> & { readonly account: string };

/** Sends a move. The same terms have the same key until they were answered with success. */
export type Move = <Answer>(name: MoveName, terms: MoveTerms) => Promise<Answer>;

export function useMove(): Move {
  const last = useRef({ content: '', key: '' });
  return async <Answer>(name: MoveName, terms: MoveTerms): Promise<Answer> => {
    const content = JSON.stringify([name, terms]);
    if (last.current.content !== content) last.current = { content, key: moveKey() };
    const body = { ...terms, key: last.current.key };
    const request = { method: 'POST', path: `/sets/${name}`, body, auth: 'l2' } as const;
    // Safe: the caller names the answer of the move.
    const answer = (await sendAny(request)) as Answer;
    last.current = { content: '', key: '' };
    return answer;
  };
}

/** Refusals that a smaller or another amount mends, besides those that name the field. */
const OF_AMOUNT = ['not_enough_cash', 'not_enough_tokens'];

/** A refusal as a sentence for the field of the amount; undefined if another one is at fault. */
export function amountFault(failure: unknown): string | undefined {
  if (!(failure instanceof ExchangeError)) return undefined;
  const { message, code, facts } = failure;
  if (facts.field !== 'amount' && !OF_AMOUNT.includes(code)) return undefined;
  const { limit, actual } = facts;
  const details = [
    ...(limit === undefined ? [] : [`limit ${limit}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ];
  return details.length === 0 ? `${message}.` : `${message} (${details.join(', ')}).`;
}
