/** The options of `mcp`. */
import { SWITCH, textKind, wholeKind } from '../parser/kinds.ts';
import { flagTable, option, optional, type ValuesOf } from '../parser/option-table.ts';
import { ORDER_OPTIONS } from './order-options.ts';
import { BASE_URL, COMMON_OPTIONS, SERVE_OPTIONS } from './serve-options.ts';

const MAX_PORT = 65_535;

/** How a command reaches the operator's API of a running exchange. */
export const OPERATOR_OPTIONS = {
  ...flagTable({
    adminUrl: option(BASE_URL, 'http://127.0.0.1:8081', "Address of the operator's API", {
      variable: 'EXCHANGE_ADMIN_URL',
    }),
    adminTokenFile: option(
      textKind('FILE'),
      './data/admin.token',
      "File with the bearer token of the operator's API",
      { variable: 'ADMIN_TOKEN_FILE' },
    ),
  }),
  adminToken: { ...SERVE_OPTIONS.adminToken, fallbackText: 'the one in the file', key: '' },
};

const { account, privateKey, chain, domains, url } = ORDER_OPTIONS;

export const MCP_OPTIONS = {
  ...flagTable({
    memory: option(SWITCH, false, 'Start an exchange of its own, in memory, instead of using one'),
    http: optional(
      wholeKind(0, MAX_PORT),
      'Serve over HTTP on this port of 127.0.0.1; 0 takes any free port',
      { fallbackText: 'none: standard input and output' },
    ),
  }),
  account,
  privateKey,
  url,
  ...OPERATOR_OPTIONS,
  chain,
  domains,
  ...COMMON_OPTIONS,
};

export type McpValues = ValuesOf<typeof MCP_OPTIONS>;
