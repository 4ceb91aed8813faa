/**
 * A crowd on a running exchange that acts only when a test lets it: its timers never fire, and its
 * audience is what the test says.
 */

import type { Settings } from '../../../http/settings/settings.ts';
import { CrowdModes } from '../../../sandbox/crowd/characters.ts';
import { Crowd } from '../../../sandbox/crowd/crowd.ts';
import type { TestExchange } from '../../http/exchange-fixture.ts';

export interface OwnCrowd {
  readonly crowd: Crowd;
  /** Open sockets of its audience. */
  readonly audience: { sockets: number };
  /** Acts until all books are filled. */
  fill(): Promise<void>;
  /** Takes turns before an audience. */
  turns(count: number): Promise<void>;
}

/** The pause between two looks for an audience: longer than any pause after a setup step. */
const LOOK_MS = 1_000;

export function ownCrowd(
  { running }: TestExchange,
  settings: Partial<Pick<Settings, 'crowdSeed' | 'crowdPace' | 'crowdModel'>> = {},
): OwnCrowd {
  const { services } = running;
  const audience = { sockets: 0 };
  const crowd = new Crowd({
    ...services,
    settings: { ...services.settings, ...settings },
    modes: new CrowdModes('live'),
    now: () => services.clock.now(),
    audience: { requests: () => 0, sockets: () => audience.sockets },
  });
  // It never begins by itself, not even when a request switches it on.
  crowd.stop();
  return {
    crowd,
    audience,
    fill: async () => {
      const before = audience.sockets;
      audience.sockets = 0;
      while ((await crowd.step()) !== LOOK_MS);
      audience.sockets = before;
    },
    turns: async (count) => {
      audience.sockets = 1;
      for (let turn = 0; turn < count; turn += 1) await crowd.step();
    },
  };
}
