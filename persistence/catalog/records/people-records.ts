/**
 * Creators, profiles, comments, reactions, teams and sports of an import, checked one by one.
 * Pure: what a record refers to is looked up by the caller.
 */

import { Type } from 'typebox';
import { pseudonymOf } from '../../shared/index.ts';
import { CATALOG_BOUNDS, COMMENT_PARENTS, type CommentParentType } from '../model/index.ts';
import {
  anything,
  contentId,
  date,
  dateOf,
  flagField,
  line,
  list,
  numericId,
  plainId,
  prose,
  requiredLine,
  textOf,
  webAddress,
  wholeNumber,
  wholeNumberOf,
} from './fields.ts';
import { type Candidate, RecordSchema } from './record-schema.ts';

/** The date of a comment whose source gave none: before all others. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';
const MAX_REACTIONS = CATALOG_BOUNDS.reactionsTold;

const COMMENT = new RecordSchema({
  id: contentId,
  parentEntityType: Type.Enum(COMMENT_PARENTS, {
    description: `one of ${COMMENT_PARENTS.join(', ')}`,
  }),
  parentEntityID: wholeNumber,
  parentCommentID: wholeNumber,
  body: prose,
  userAddress: line,
  replyAddress: line,
  createdAt: date,
  updatedAt: date,
  profile: anything,
  reactions: list(MAX_REACTIONS),
  replies: anything,
  // Counted by the catalog itself.
  reportCount: anything,
  reactionCount: anything,
  replyCount: anything,
  removed: anything,
});

export interface CheckedComment {
  readonly id: number;
  readonly type: CommentParentType;
  readonly parentId: number | null;
  readonly parentCommentId: number | null;
  readonly isRemoved: boolean;
  readonly body: string;
  readonly userAddress: string;
  readonly replyAddress: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly record: string;
}

/** A removed comment that was answered keeps its place, without text and author. */
export function checkComment(candidate: Candidate): CheckedComment | undefined {
  const checked = COMMENT.check(candidate);
  if (checked === undefined) return undefined;
  const { fields, record } = checked;
  const isRemoved = fields.removed === true;
  const required = { body: textOf(fields.body), userAddress: textOf(fields.userAddress) };
  for (const [name, value] of Object.entries(required)) {
    if (value !== '' || isRemoved) continue;
    candidate.refusals.add(`${candidate.path}.${name}`, 'a text that is not empty', 'empty');
    return undefined;
  }
  const createdAt = dateOf(fields.createdAt) ?? UNKNOWN_DATE;
  return {
    ...required,
    id: Number(fields.id),
    type: fields.parentEntityType,
    parentId: wholeNumberOf(fields.parentEntityID),
    parentCommentId: wholeNumberOf(fields.parentCommentID),
    isRemoved,
    replyAddress: textOf(fields.replyAddress),
    createdAt,
    updatedAt: dateOf(fields.updatedAt) ?? createdAt,
    record: isRemoved ? JSON.stringify({ ...JSON.parse(record), removed: true }) : record,
  };
}

const REACTION = new RecordSchema({
  id: contentId,
  commentID: anything,
  reactionType: requiredLine,
  icon: line,
  userAddress: requiredLine,
  createdAt: date,
});

export function checkReaction(candidate: Candidate) {
  const checked = REACTION.check(candidate);
  if (checked === undefined) return undefined;
  const { id, reactionType, icon, userAddress, createdAt } = checked.fields;
  return {
    id: Number(id),
    reactionType,
    icon: textOf(icon),
    userAddress,
    createdAt: dateOf(createdAt),
  };
}

const PROFILE = new RecordSchema({
  proxyWallet: line,
  baseAddress: line,
  name: line,
  pseudonym: line,
  bio: prose,
  profileImage: webAddress,
  displayUsernamePublic: flagField,
  isMod: flagField,
  createdAt: date,
  updatedAt: date,
  // The catalog knows these by itself: creators from their records, positions from trading.
  users: anything,
  isCreator: anything,
  positions: anything,
});

/** In the form of GET /public-profile. `baseAddress` may be missing if it is the wallet. */
export function checkProfile(candidate: Candidate) {
  const checked = PROFILE.check(candidate);
  if (checked === undefined) return undefined;
  const { fields, record } = checked;
  const proxyWallet = textOf(fields.proxyWallet);
  const wallet = textOf(fields.baseAddress) || proxyWallet;
  const createdAt = dateOf(fields.createdAt);
  return {
    wallet,
    proxyWallet,
    name: textOf(fields.name),
    pseudonym: textOf(fields.pseudonym) || pseudonymOf(wallet),
    bio: textOf(fields.bio),
    profileImage: textOf(fields.profileImage),
    isPublic: fields.displayUsernamePublic === false ? 0 : 1,
    isMod: fields.isMod === true ? 1 : 0,
    createdAt,
    updatedAt: dateOf(fields.updatedAt) ?? createdAt,
    record,
  };
}

const CREATOR = new RecordSchema({
  id: numericId,
  creatorName: line,
  creatorHandle: line,
  creatorUrl: webAddress,
  creatorImage: webAddress,
  wallet: line,
  createdAt: date,
  updatedAt: date,
});

export function checkCreator(candidate: Candidate) {
  const checked = CREATOR.check(candidate);
  if (checked === undefined) return undefined;
  const { fields, record } = checked;
  return {
    id: Number(fields.id),
    creatorName: textOf(fields.creatorName),
    creatorHandle: textOf(fields.creatorHandle),
    creatorUrl: textOf(fields.creatorUrl),
    creatorImage: textOf(fields.creatorImage),
    wallet: textOf(fields.wallet),
    createdAt: dateOf(fields.createdAt),
    updatedAt: dateOf(fields.updatedAt),
    record,
  };
}

const TEAM = new RecordSchema({
  id: plainId,
  name: requiredLine,
  league: line,
  abbreviation: line,
});

export function checkTeam(candidate: Candidate) {
  const checked = TEAM.check(candidate);
  if (checked === undefined) return undefined;
  const { fields, record } = checked;
  return {
    id: Number(fields.id),
    name: fields.name,
    league: textOf(fields.league),
    abbreviation: textOf(fields.abbreviation),
    record,
  };
}

const SPORT = new RecordSchema({ id: plainId, sport: requiredLine });

export function checkSport(candidate: Candidate) {
  const checked = SPORT.check(candidate);
  return (
    checked && {
      id: Number(checked.fields.id),
      sport: checked.fields.sport,
      record: checked.record,
    }
  );
}
