import { Type } from 'typebox';
import { SignerTier } from '../../profiles/profile-schema.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /v1/user/rate-limit-tier: the tier of the caller in the limits of signers, as it stands in
 * the profile. The public venue has this route too, but published no fields of its answer.
 */
export const getRateLimitTier = defineRoute({
  method: 'GET',
  path: '/v1/user/rate-limit-tier',
  summary: 'Your tier in the limits of signers, as GET /limits lists it; null where there are none',
  auth: 'l2',
  response: Type.Union([SignerTier, Type.Null()]),
  needs: ['limits'],
  handler: ({ caller, services }) => services.limits.tierOf(caller.owner),
});
