/**
 * The catalog over HTTP: routes that read events, markets, comments and profiles, the replies that
 * fill in live prices and positions, and what connects the catalog with trading: opening its
 * markets in the engine and bringing figures of trading back.
 */

export * from './figures.ts';
export * from './imported-markets.ts';
export * from './market.ts';
export * from './market-commands.ts';
export * from './markets.ts';
export * from './parameters.ts';
export * from './people.ts';
export * from './people-schemas.ts';
export * from './reply.ts';
export * from './routes.ts';
export * from './searches.ts';
