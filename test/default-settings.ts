/** The settings of an exchange that is started without options. */
import { DEFAULT_RULES } from '../http/admission/limit-table.ts';
import { DEFAULT_SETTINGS } from '../http/settings/defaults.ts';
import type { Settings } from '../http/settings/settings.ts';
import { DEFAULT_DOMAINS } from '../http/signing/domains.ts';

export const TEST_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  domains: DEFAULT_DOMAINS,
  rateLimits: DEFAULT_RULES,
};
