/** Headers of requests and answers, in the forms that several rooms share. */

/** Names, in lower case, and values of headers that an answer carries. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The prefix of the auth headers of a request (wire 0.2). */
export type HeaderPrefix = 'SERVICE' | 'KUEST' | 'POLY';

export const HEADER_PREFIXES: readonly HeaderPrefix[] = ['SERVICE', 'KUEST', 'POLY'];
