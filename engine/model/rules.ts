/**
 * The version of the engine's rules. A change that an older program would replay differently gets a
 * new number, and a journal is raised to it when this program opens it, because all later commands
 * follow it. Invariant: commands that ran under an older version replay with the same events.
 */
export const RULES_VERSION = 1;
