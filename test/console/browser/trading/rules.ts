import type { MarketRules } from '../../../../console/browser/trading/draft.ts';

export const RULES: MarketRules = {
  conditionId: `0x${'c'.repeat(64)}`,
  tokenIds: ['111', '222'],
  outcomes: ['Yes', 'No'],
  negRisk: true,
  tickTicks: 10,
  minimumLots: 500,
  fees: {
    ...{ takerFeeBps: 0, makerFeeBps: 0, feeExponent: 0 },
    ...{ shareBps: 0, takerRateBps: 0, makerRateBps: 0 },
  },
};
