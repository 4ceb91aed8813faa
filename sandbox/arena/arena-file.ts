/** The file that describes an arena, and the result that one leaves. */
import { type Static, Type } from 'typebox';
import { DEV_KEYS } from '../../cli/options/dev-keys.ts';
import { refuseAt } from '../../http/errors/index.ts';
import { checkedBy } from '../../http/profiles/profile-file.ts';
import { CROWD_MODES } from '../../http/settings/crowd.ts';

/** What exceeds one of them is refused with its place in the file. */
export const ARENA_BOUNDS = {
  /** Each has a dev account. */
  bots: DEV_KEYS.length,
  markets: 20,
  seconds: 86_400,
  /** Of the crowd's seed: 32 bits. */
  seed: 4_294_967_295,
  words: 32,
  variables: 32,
  /** Characters of a word or of a variable's value. */
  characters: 4_096,
  /** What is kept of a bot's output; the rest is dropped, and the table says so. */
  logBytes: 1_048_576,
  /** How long a bot may take to stop after SIGTERM. */
  stopMs: 5_000,
} as const;

const { bots, markets, seconds, seed, words, variables, characters } = ARENA_BOUNDS;
const Word = Type.String({ maxLength: characters });
const NAME = '^[a-z0-9][a-z0-9-]{0,31}$';

const ArenaBot = Type.Object(
  {
    name: Type.String({ pattern: NAME, description: '1 to 32 of a-z, 0-9 and -' }),
    command: Type.Array(Word, {
      minItems: 1,
      maxItems: words,
      description: "The program and its arguments, started in the file's folder",
    }),
    environment: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Z_][A-Z0-9_]{0,63}$' }), Word, {
        maxProperties: variables,
        additionalProperties: false,
        description: 'Variables for this bot',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ArenaBot = Static<typeof ArenaBot>;

export const ArenaFile = Type.Object(
  {
    seed: Type.Integer({ minimum: 0, maximum: seed, description: "The crowd's seed" }),
    seconds: Type.Integer({ minimum: 1, maximum: seconds, description: 'How long bots trade' }),
    markets: Type.Integer({ minimum: 1, maximum: markets, description: 'How many they are given' }),
    crowd: Type.Enum([...CROWD_MODES], { description: 'The simulated traders' }),
    bots: Type.Array(ArenaBot, { minItems: 1, maxItems: bots }),
  },
  { additionalProperties: false },
);
export type ArenaFile = Static<typeof ArenaFile>;

/** Amounts are decimals in units of collateral. */
const ArenaRow = Type.Object({
  name: Type.String({ pattern: NAME }),
  profit: Word,
  /** What the account was given, withdrawals subtracted. */
  deposits: Word,
  cash: Word,
  /** What its tokens are worth at the end. */
  tokens: Word,
  fees: Word,
  fills: Type.Integer({ minimum: 0 }),
});
export type ArenaRow = Static<typeof ArenaRow>;

const ArenaEntrant = Type.Object({ name: Word, owner: Word, ending: Word });
export type ArenaEntrant = Static<typeof ArenaEntrant>;

export const RESULT_FORMAT = 1;
export const ArenaResult = Type.Object({
  format: Type.Literal(RESULT_FORMAT),
  version: Word,
  arena: ArenaFile,
  tokenIds: Type.Array(Word, { maxItems: markets }),
  entrants: Type.Array(ArenaEntrant, { minItems: 1, maxItems: bots }),
  seq: Type.Integer({ minimum: 0 }),
  stateHash: Word,
  table: Type.Array(ArenaRow, { maxItems: bots }),
  /** SHA-256, in hex, of the JSON of all other fields. */
  hash: Word,
});
export type ArenaResult = Static<typeof ArenaResult>;

/** Throws an `Error` with the place of the first fault. */
export function parseArena(json: unknown): ArenaFile {
  const arena = checkedBy('', ArenaFile, json);
  const names = arena.bots.map(({ name }) => name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) refuseAt(`bots.${twice}.name`, names[twice], 'another name than an earlier bot');
  return arena;
}

/** Throws an `Error` with the place of the first fault. */
export function parseResult(json: unknown): ArenaResult {
  return checkedBy('', ArenaResult, json);
}
