import type { MarketRules } from '../../../../console/browser/trading/index.ts';

export const RULES: MarketRules = {
  conditionId: `0x${'c'.repeat(64)}`,
  tokenIds: ['111', '222'],
  outcomes: ['Yes', 'No'],
  negRisk: true,
  tickTicks: 10,
  minimumLots: 500,
  fees: { takerBps: 0, makerBps: 0, exponent: 0 },
};
