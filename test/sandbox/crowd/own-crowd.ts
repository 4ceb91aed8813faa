/**
 * A crowd on a running exchange that acts only when a test lets it: its timers never fire, and its
 * audience is what the test says.
 */

import { DEFAULT_CROWD_MODEL } from '../../../http/settings/crowd.ts';
import type { Settings } from '../../../http/settings/settings.ts';
import { CrowdModes } from '../../../sandbox/crowd/characters.ts';
import { Crowd } from '../../../sandbox/crowd/crowd.ts';
import { Desk } from '../../../sandbox/crowd/desk.ts';
import type { CrowdMarket } from '../../../sandbox/crowd/market.ts';
import type { TestExchange } from '../../http/exchange-fixture.ts';

/** So that books are soon filled: a signed order takes a millisecond. */
const FEW_ORDERS = { ...DEFAULT_CROWD_MODEL, orders: 6 };
/** Of a market with a deep book, on both sides. */
export const MOST_ORDERS = 2 * 9;

export interface OwnCrowd {
  readonly crowd: Crowd;
  /** Open sockets of its audience. */
  readonly audience: { sockets: number };
  /** Acts until all books are filled. */
  fill(): Promise<void>;
  /** Takes turns before an audience. */
  turns(count: number): Promise<void>;
}

export function ownCrowd(
  { running }: TestExchange,
  settings: Partial<Pick<Settings, 'crowdSeed' | 'crowdPace' | 'crowdModel'>> = {},
): OwnCrowd {
  const { services } = running;
  const audience = { sockets: 0 };
  const now = (): number => services.clock.now();
  const crowd = new Crowd({
    ...services,
    settings: { ...services.settings, crowdModel: FEW_ORDERS, ...settings },
    modes: new CrowdModes('live'),
    now,
    desk: new Desk({ ...services, now }),
    textsOf: (conditionId) => services.exchange.catalog.lookup.marketByCondition(conditionId),
    audience: {
      requests: () => 0,
      sockets: () => audience.sockets,
      isFollowed: () => false,
      reads: () => 0,
    },
  });
  // It never begins by itself, not even when a request switches it on.
  crowd.stop();
  return {
    crowd,
    audience,
    fill: async () => {
      const before = audience.sockets;
      audience.sockets = 0;
      const isUnfilled = ({ mode, isFilled, acceptsOrders }: CrowdMarket): boolean =>
        mode !== 'off' && !isFilled && acceptsOrders;
      while (crowd.markets.some(isUnfilled)) await crowd.step();
      audience.sockets = before;
    },
    turns: async (count) => {
      audience.sockets = 1;
      for (let turn = 0; turn < count; turn += 1) await crowd.step();
    },
  };
}
