/**
 * What a kind of fault is: its name, where it can fire, and its parameters. Each kind is one record
 * in the table of kinds.ts; the schema of its parameters checks and documents the requests that
 * create such a fault.
 */
import { type Static, type TProperties, Type } from 'typebox';
import { FAULT_BOUNDS } from './bounds.ts';

/** The places of the program that ask for faults. Each checks one property while there is none. */
export const FAULT_SITES = ['request', 'stream', 'trade'] as const;
export type FaultSiteName = (typeof FAULT_SITES)[number];

export interface FaultKind<Parameters extends TProperties = TProperties> {
  readonly name: string;
  /** What happens, for the documentation. */
  readonly summary: string;
  readonly site: FaultSiteName;
  /** Whether it happens to sockets, so that `match` can name their User-Agent. */
  readonly meetsSockets?: true;
  /**
   * The kind's own keys of the request, beside those of every fault. A key whose schema has a
   * `default` may be left out. None has the name of a key of every fault, beside which it is shown.
   */
  readonly parameters: Parameters;
  /** How often it fires if the request does not say; absent for without end. */
  readonly defaultCount?: number;
  /** How long it lasts if the kind decides that; the request then can't say. */
  secondsOf?(parameters: Static<Type.TObject<Parameters>>): number;
}

/** Keeps the types of the parameters. */
export function defineFaultKind<const Parameters extends TProperties>(
  kind: FaultKind<Parameters>,
): FaultKind<Parameters> {
  return kind;
}

/** A length of time in seconds, with its default. */
export function SecondsParameter(
  description: string,
  options: { readonly default: number; readonly maximum?: number; readonly minimum?: number },
) {
  return Type.Number({ minimum: 0, maximum: FAULT_BOUNDS.seconds, ...options, description });
}
