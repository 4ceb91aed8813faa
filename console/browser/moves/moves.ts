/** Moves of own cash and tokens: what an account has for them, and sending each of them once. */

import { useRef } from 'preact/hooks';
import { moveKey } from '../signing/random.ts';
import type { OwnBalance } from '../streams/messages.ts';
import { pageStreams } from '../streams/streams.ts';
import { balanceName } from '../streams/user-stream.ts';
import { ExchangeError, sendAny } from '../wire/index.ts';

export const MOVE_BOUNDS = {
  /** Markets that are offered for a split. */
  markets: 20,
  searchCharacters: 200,
  amountCharacters: 30,
} as const;

/** How long a person may pause in a word that is searched for. */
export const TYPING_MS = 250;

/** Free cash, and what live orders hold; undefined while the user channel has not told. */
export function cashOf(account: string): OwnBalance | undefined {
  return pageStreams().user.balances.value.get(balanceName(account, ''));
}

const BASE_UNITS_PER_LOT = 10_000;

/** The tokens of a balance that no order holds. */
export function freeLotsOf({ available }: OwnBalance): number {
  return Number(available) / BASE_UNITS_PER_LOT;
}

export function freeLots(account: string, tokenId: string): number {
  const balance = pageStreams().user.balances.value.get(balanceName(account, tokenId));
  return balance === undefined ? 0 : freeLotsOf(balance);
}

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
