/** The schema of a profile (profiles.ts). */
import { type Static, Type } from 'typebox';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../engine/model/index.ts';
import { DIALECTS, MICRO_DECIMALS } from '../codec/index.ts';

function Decimals(description: string) {
  return Type.Integer({ minimum: 0, maximum: MICRO_DECIMALS, description });
}

/** Decimals that the amounts of an order may have. */
export const AmountDecimals = Type.Object(
  {
    marketBuyCash: Decimals('Most decimals of the cash of a FOK or FAK BUY'),
    marketBuyTokens: Decimals('Most decimals of the tokens of a FOK or FAK BUY'),
    marketSellTokens: Decimals('Most decimals of the tokens of a FOK or FAK SELL'),
    marketSellCash: Decimals('Most decimals of the cash of a FOK or FAK SELL'),
    limitTokens: Decimals('Most decimals of the tokens of a GTC or GTD order'),
    limitCashBeyondTick: Decimals(
      'How many more decimals than the tick the cash of a GTC or GTD order may have',
    ),
  },
  { additionalProperties: false },
);
export type AmountDecimals = Static<typeof AmountDecimals>;

function Tokens(description: string) {
  return Type.Integer({ minimum: 1, maximum: 1_000_000, description });
}

/** A tier of signers, with the token buckets of each (http/admission/signer-buckets.ts). */
export const SignerTier = Type.Object(
  {
    // It is sent in a header.
    tier: Type.String({ pattern: '^[\\w-]{1,64}$', description: 'The name of the tier' }),
    leastVolume: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000,
      description: 'The least cash that a signer of this tier traded in 30 days',
    }),
    orderRate: Tokens('Orders of a signer in a second'),
    orderBurst: Tokens('Most orders of a signer at once'),
    cancelRate: Tokens('Cancels of a signer in a second'),
    cancelBurst: Tokens('Most cancels of a signer at once'),
    overdraws: Type.Boolean({
      description:
        'Whether a cancel of all orders may leave the bucket of cancels below zero; if not, it ' +
        'leaves it empty',
    }),
  },
  { additionalProperties: false },
);
export type SignerTier = Static<typeof SignerTier>;
export const MOST_TIERS = 32;

const DAY_SECONDS = 86_400;

export const VenueProfile = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 64, description: 'The name of the profile' }),
    date: Type.String({
      pattern: '^(\\d{4}-\\d{2}|)$',
      description: "The month whose rules these are; '' for a profile that follows no venue",
    }),
    dialect: Type.Enum([...DIALECTS], {
      description:
        'Forms and sentences of answers, unless the auth headers of a request tell the family of ' +
        'its client',
    }),
    gtdLeadSeconds: Type.Integer({
      minimum: 0,
      maximum: DAY_SECONDS,
      description: 'Least time from now to the expiration of a GTD order',
    }),
    gtdEarlyEndSeconds: Type.Integer({
      minimum: 0,
      maximum: HOUR_MS / SECOND_MS,
      description: 'How long before its expiration a GTD order stops; below gtdLeadSeconds',
    }),
    heldAnswerSeconds: Type.Integer({
      minimum: 0,
      maximum: MINUTE_MS / SECOND_MS,
      description:
        'How long at most the answer to an order that its market delays waits for the end of the ' +
        'delay; then, or with 0 at once, the answer says `delayed`',
    }),
    answerHashes: Type.Boolean({
      description:
        'Whether the answer to an order has `transactionsHashes`; if not, its trades have them',
    }),
    signerTiers: Type.Union(
      [Type.Array(SignerTier, { minItems: 1, maxItems: MOST_TIERS }), Type.Null()],
      {
        description:
          'Limits of each signer by its tier, the lowest first, beside those of addresses; null: ' +
          'none',
      },
    ),
    decimals: Type.Union([AmountDecimals, Type.Null()], {
      description: 'Decimals of amounts; null: those of the units',
    }),
  },
  { additionalProperties: false },
);
export type VenueProfile = Static<typeof VenueProfile>;
