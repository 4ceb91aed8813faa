/** The options of `replay`. */

import { OPERATOR_OPTIONS } from '../../cli/options/mcp-options.ts';
import { ORDER_OPTIONS } from '../../cli/options/order-options.ts';
import { COMMON_OPTIONS, SERVE_OPTIONS } from '../../cli/options/serve-options.ts';
import { type Kind, SWITCH, testedKind, textKind, wholeKind } from '../../cli/parser/kinds.ts';
import { flagTable, option, optional, type ValuesOf } from '../../cli/parser/option-table.ts';
import { isUint256 } from '../../http/signing/uint256.ts';

const DAY_SECONDS = 86_400;
const LEAST_SPEED = 0.1;
const MOST_SPEED = 10_000;
const DECIMAL = /^[0-9]{1,5}(\.[0-9]{1,3})?$/;

/** A factor; `max` is infinite. */
const SPEED: Kind<number> = {
  placeholder: 'N|max',
  must: `a decimal from ${LEAST_SPEED} to ${MOST_SPEED}, or max`,
  parse: (text) => {
    if (text === 'max') return Number.POSITIVE_INFINITY;
    const speed = DECIMAL.test(text) ? Number(text) : 0;
    return speed >= LEAST_SPEED && speed <= MOST_SPEED ? speed : undefined;
  },
  print: (speed) => (speed === Number.POSITIVE_INFINITY ? 'max' : String(speed)),
};

const CONDITION_ID = testedKind(
  'ID',
  (text) => /^0x[0-9a-fA-F]{64}$/.test(text),
  'a condition id: 0x and 64 hex digits',
);

const { url, chain, domains } = ORDER_OPTIONS;
const { json } = SERVE_OPTIONS;

export const REPLAY_OPTIONS = {
  ...flagTable({
    market: optional(CONDITION_ID, 'The market of the exchange that the recording is played into', {
      fallbackText: 'the recorded one',
    }),
    speed: option(SPEED, 1, 'How many times faster than recorded; max waits only for the exchange'),
    longestPause: option(
      wholeKind(0, DAY_SECONDS),
      3_600,
      'Longest pause of the recording in seconds; longer ones are shortened to it before --speed ' +
        'applies',
    ),
    recordedMarket: optional(
      CONDITION_ID,
      'The recorded market to play, if the recording has several; others are left out',
      { fallbackText: 'that of the first message' },
    ),
    yesAsset: optional(
      testedKind('ID', isUint256, 'an asset id: a plain decimal of up to 78 digits'),
      'The recorded asset that is YES',
      { fallbackText: 'the first one in the recording' },
    ),
    strictReplay: option(SWITCH, false, "Stop at the first message that can't be replayed"),
    seed: option(
      textKind('TEXT'),
      'replay',
      'Seed of the keys of the two accounts that trade; replays that run at the same time need ' +
        'different seeds',
    ),
  }),
  ...OPERATOR_OPTIONS,
  url,
  chain,
  domains,
  json,
  ...COMMON_OPTIONS,
};

export type ReplayValues = ValuesOf<typeof REPLAY_OPTIONS>;
