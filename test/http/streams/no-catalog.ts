/** A catalog without records, for streams of an exchange that has none. */

import type { StreamStore } from '../../../http/streams/delivery/context.ts';
import { accountProfile } from '../../../persistence/shared/index.ts';

export const NO_CATALOG: StreamStore['catalog'] = {
  lookup: {
    marketByCondition: () => undefined,
    accountProfile: ({ address }) => accountProfile(address, undefined),
  },
};
