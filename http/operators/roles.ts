/** What operators may do: groups of the routes of their listener. */

/** Each role with what it permits, in words. */
export const ROLE_TEXTS = {
  metrics: 'GET /metrics, health and the description of this API',
  reader: 'every GET',
  markets:
    'events and markets: create, open, change, pause, close, resolve; the whole exchange too',
  accounts: 'owners: open accounts, restrict them, revoke keys, cancel orders',
  money: "deposits, withdrawals, moves of an account's cash and tokens, shares of builders",
  catalog: 'texts of the catalog, comments and profiles',
  admin: 'everything',
} as const;

export type OperatorRole = keyof typeof ROLE_TEXTS;

// Safe: the keys of the record above.
export const OPERATOR_ROLES = Object.keys(ROLE_TEXTS) as readonly OperatorRole[];

/** Every role but `metrics` also reads. A route without a role is for admins. */
export function permits(roles: readonly OperatorRole[], needed: OperatorRole = 'admin'): boolean {
  if (needed === 'metrics' || roles.includes('admin')) return true;
  return needed === 'reader' ? roles.some((role) => role !== 'metrics') : roles.includes(needed);
}
