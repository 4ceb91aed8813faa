/**
 * The command `mcp`: lets an agent trade on an exchange and operate its sandbox, as tools of the
 * Model Context Protocol (modelcontextprotocol.io), over standard input and output or over HTTP.
 *
 * Invariant: each tool is one route of the exchange, called over HTTP as any client calls it, or
 * the order of `place-order`. Its schema and description are those of the route or of the options.
 * Bound: MOST_CHARACTERS in an answer (answer.ts), which says what was left off.
 */
export { runMcp } from './run-mcp.ts';
