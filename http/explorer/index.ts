/**
 * The explorer: any command, order, trade, account and market, with what was signed and links
 * between them, each amount as a whole number and as a decimal; and the balance of an account over
 * time. Reads threads answer; handlers only format. Invariant: other owners' data is shown to
 * operators, and to everybody only in the sandbox.
 */
export * from './balances.ts';
export * from './routes.ts';
export * from './schemas.ts';
export * from './signed.ts';
