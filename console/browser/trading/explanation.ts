/** The answer of POST /debug/order as figures of a ticket. */
import { DECIMALS, parseDecimal } from '../decimal/index.ts';

/** What is read of the answer of POST /debug/order. */
interface DebugAnswer {
  readonly wouldBeAccepted: boolean;
  readonly answer: { readonly status: number; readonly body: object } | null;
  /** A step has its facts beside its name. */
  readonly steps: readonly ({ readonly step: string } & Readonly<Record<string, unknown>>)[];
}

/** A refusal in the words of the error table. */
export interface OrderRefusal {
  readonly text: string;
  readonly code: string;
  /** The term at fault, such as `price`; '' if it is none of them. */
  readonly field: string;
  readonly limit: string;
  readonly actual: string;
}

export interface OrderExplanation {
  readonly filledLots: number;
  readonly cashMicros: number;
  readonly feeMicros: number;
  readonly restingLots: number;
  /** Marketable orders wait so long before they trade. */
  readonly delayMs: number;
  /** What the account must have: micros of cash for a BUY, lots for a SELL. */
  readonly required: number | undefined;
}

export interface Explanation {
  /** Undefined if the exchange does not say what the order would do. */
  readonly outcome: OrderExplanation | undefined;
  readonly refusal: OrderRefusal | undefined;
}

const FIRST_REFUSAL = 400;

type Facts = Readonly<Record<string, unknown>>;

function wholeOf(value: unknown, decimals: number): number {
  return Number(parseDecimal(String(value ?? '0'), decimals) ?? 0n);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function outcomeOf(book: Facts, balance: Facts, side: 'BUY' | 'SELL'): OrderExplanation {
  const requiredDecimals = side === 'BUY' ? DECIMALS.micros : DECIMALS.lots;
  return {
    filledLots: wholeOf(book.wouldMatch, DECIMALS.lots),
    cashMicros: wholeOf(book.forCash, DECIMALS.micros),
    feeMicros: wholeOf(book.fee, DECIMALS.micros),
    restingLots: wholeOf(book.wouldRest, DECIMALS.lots),
    delayMs: Number(book.delayMs ?? 0),
    required:
      balance.required === undefined ? undefined : wholeOf(balance.required, requiredDecimals),
  };
}

/** The step that finds the signer: it fails for an unsigned order. */
const SIGNER_STEP = 'domains';

/**
 * What the exchange says of an order. The step about the signature is left out for an order that is
 * not signed yet, because a wallet would ask its user for each signature.
 */
export function explanationOf(
  { answer, steps }: DebugAnswer,
  side: 'BUY' | 'SELL',
  isSigned: boolean,
): Explanation {
  const factsOf = (name: string): Facts => steps.find(({ step }) => step === name) ?? {};
  const book = factsOf('book');
  const outcome =
    book.wouldMatch === undefined ? undefined : outcomeOf(book, factsOf('balance'), side);
  const refusing = steps.find(({ ok }) => ok === false)?.step ?? '';
  const isExpected = !isSigned && refusing === SIGNER_STEP;
  if (answer === null || answer.status < FIRST_REFUSAL || isExpected) {
    return { outcome, refusal: undefined };
  }
  const body: Facts = { ...answer.body };
  const refusal = {
    text: textOf(body.error),
    code: textOf(body.code),
    field: textOf(body.field),
    limit: textOf(body.limit),
    actual: textOf(body.actual),
  };
  return { outcome, refusal };
}
