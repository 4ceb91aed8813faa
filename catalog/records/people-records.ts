/**
 * Creators, profiles, comments, reactions, teams and sports of an import, checked one by one.
 * Pure: what a record refers to is looked up by the caller.
 */

import { Type } from 'typebox';
import { pseudonymOf } from '../../persistence/shared/index.ts';
import {
  CATALOG_BOUNDS,
  type CreatorRow,
  NAMED_PARENTS,
  type NamedParentType,
  type SportRow,
  type TeamRow,
} from '../model/index.ts';
import {
  anything,
  contentId,
  date,
  flag,
  line,
  list,
  numericId,
  plainId,
  prose,
  type RecordField,
  requiredLine,
  webAddress,
  wholeNumber,
} from './fields.ts';
import { type Candidate, RecordSchema } from './record-schema.ts';

/** The date of a comment whose source gave none: before all others. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';
const MAX_REACTIONS = CATALOG_BOUNDS.reactionsTold;

const commentParent: RecordField<NamedParentType> = {
  schema: Type.Enum(NAMED_PARENTS, { description: `one of ${NAMED_PARENTS.join(', ')}` }),
  stored: (type: NamedParentType) => type,
};

const COMMENT = new RecordSchema(
  {
    id: contentId,
    body: prose,
    userAddress: line,
    replyAddress: line,
    createdAt: date,
    updatedAt: date,
  },
  {
    parentEntityType: commentParent,
    parentEntityID: wholeNumber,
    parentCommentID: wholeNumber,
    removed: anything,
    profile: anything,
    reactions: list(MAX_REACTIONS),
    replies: anything,
    // Counted by the catalog itself.
    reportCount: anything,
    reactionCount: anything,
    replyCount: anything,
  },
);

/** A removed comment that was answered keeps its place, without text and author. */
export function checkComment(candidate: Candidate) {
  const checked = COMMENT.check(candidate);
  if (checked === undefined) return undefined;
  const { row, others } = checked;
  const isRemoved = others.removed === true;
  const missing = (['body', 'userAddress'] as const).find((name) => row[name] === '');
  if (missing !== undefined && !isRemoved) {
    candidate.refusals.add(`${candidate.path}.${missing}`, 'a text that is not empty', 'empty');
    return undefined;
  }
  const createdAt = row.createdAt ?? UNKNOWN_DATE;
  return {
    ...row,
    type: others.parentEntityType,
    parentId: others.parentEntityID,
    parentCommentId: others.parentCommentID,
    isRemoved,
    createdAt,
    updatedAt: row.updatedAt ?? createdAt,
    record: isRemoved ? JSON.stringify({ ...JSON.parse(row.record), removed: true }) : row.record,
  };
}

const REACTION = new RecordSchema(
  {
    id: contentId,
    reactionType: requiredLine,
    icon: line,
    userAddress: requiredLine,
    createdAt: date,
  },
  { commentID: anything },
);

export function checkReaction(candidate: Candidate) {
  return REACTION.check(candidate)?.row;
}

const PROFILE = new RecordSchema(
  {
    proxyWallet: line,
    name: line,
    pseudonym: line,
    bio: prose,
    profileImage: webAddress,
    displayUsernamePublic: flag(true),
    isMod: flag(false),
    createdAt: date,
    updatedAt: date,
  },
  {
    baseAddress: line,
    // The catalog knows these by itself: creators from their records, positions from trading.
    users: anything,
    isCreator: anything,
    positions: anything,
  },
);

/** A profile as in GET /public-profile. Without `baseAddress`, `proxyWallet` is the address. */
export function checkProfile(candidate: Candidate) {
  const checked = PROFILE.check(candidate);
  if (checked === undefined) return undefined;
  const { row, others } = checked;
  const wallet = others.baseAddress || row.proxyWallet;
  return {
    ...row,
    wallet,
    pseudonym: row.pseudonym || pseudonymOf(wallet),
    updatedAt: row.updatedAt ?? row.createdAt,
  };
}

const CREATOR = new RecordSchema(
  {
    id: numericId,
    creatorName: line,
    creatorHandle: line,
    creatorUrl: webAddress,
    creatorImage: webAddress,
    wallet: line,
    createdAt: date,
    updatedAt: date,
  },
  {},
);

export function checkCreator(candidate: Candidate): CreatorRow | undefined {
  return CREATOR.check(candidate)?.row;
}

const TEAM = new RecordSchema(
  { id: plainId, name: requiredLine, league: line, abbreviation: line },
  {},
);

export function checkTeam(candidate: Candidate): TeamRow | undefined {
  return TEAM.check(candidate)?.row;
}

const SPORT = new RecordSchema({ id: plainId, sport: requiredLine }, {});
/** Texts that every sport of a public catalog has. */
const SPORT_TEXTS = { image: '', resolution: '', ordering: '', tags: '', series: '' } as const;

export function checkSport(candidate: Candidate): SportRow | undefined {
  const row = SPORT.check(candidate)?.row;
  return row && { ...row, record: JSON.stringify({ ...SPORT_TEXTS, ...JSON.parse(row.record) }) };
}
