/**
 * The writes that the catalog's one writer thread does. Invariant: each is one transaction: a write
 * that is refused or fails changes nothing, one that is answered is committed. Bounds:
 * CATALOG_BOUNDS and CONTENT_BOUNDS.
 */
import type { Attribution } from '../../persistence/shared/index.ts';
import type {
  CatalogPlan,
  IntakePage,
  KnownMarket,
  MarketEnds,
  PageReport,
  RecordBatch,
  RecordKind,
} from './records.ts';
import type { FigureRow } from './rows.ts';
import type { CommentParent, SlottedJson } from './slotted-json.ts';

/** Fields that the operator changes, in the form of an import. */
export interface CatalogEdit {
  readonly kind: 'event' | 'market' | 'series' | 'tag' | 'creator';
  readonly id: number;
  readonly changes: Readonly<Record<string, unknown>>;
  /** `updatedAt`, ISO 8601 in UTC. */
  readonly nowIso: string;
  readonly said: Attribution;
}

/** A new record of the operator. Its id is derived from its slug or name. */
export interface CatalogAddition {
  readonly kind: 'series' | 'tag' | 'creator';
  readonly record: Readonly<Record<string, unknown>>;
  readonly nowIso: string;
  readonly said: Attribution;
}

export interface CatalogEdited {
  readonly id: number;
  /** False for a repeated request: it changes nothing and is not logged. */
  readonly changed: boolean;
}

/** Figures of trading here; amounts in collateral. */
export interface MarketFigures extends FigureRow {
  readonly conditionId: string;
}

export interface NewComment {
  readonly parent: CommentParent;
  /** The comment that it answers, which has the same parent. */
  readonly parentCommentId?: number | undefined;
  readonly userAddress: string;
  /** The author whom it answers; by default the author of the parent comment. */
  readonly replyAddress?: string | undefined;
  /** 1 to `CONTENT_BOUNDS.commentChars` characters. */
  readonly body: string;
  /** Idempotency key: a repeated request returns the first comment. Empty: derived from content. */
  readonly key: string;
  /** Keys of requests before this time are forgotten, ISO 8601. */
  readonly sinceIso: string;
  readonly nowIso: string;
}

export interface CommentCommand {
  readonly id: number;
  readonly userAddress: string;
  readonly nowIso: string;
}

export interface ReactionCommand extends CommentCommand {
  /** Such as `HEART`: 1 to `CONTENT_BOUNDS.reactionChars` characters. */
  readonly reactionType: string;
  readonly icon?: string | undefined;
}

/** What the operator does: hides a comment, shows it again, or removes it as an author does. */
export const MODERATIONS = ['hide', 'unhide', 'remove'] as const;

export interface Moderation {
  readonly id: number;
  readonly act: (typeof MODERATIONS)[number];
  readonly nowIso: string;
  readonly said: Attribution;
}

/** The outcome of a write to a comment or reaction, as the live-data socket sends it (wire 7.2). */
export interface CommentChange {
  /** False if nothing changed, as for a repeated reaction. */
  readonly changed: boolean;
  readonly commentId: number;
  readonly parent: CommentParent;
  /** The slug of its event, or of its market's event; empty for a series. */
  readonly eventSlug: string;
  /** The comment as it is now, or as it was before it was removed or hidden. */
  readonly json: SlottedJson;
  /** The JSON of the reaction, or empty. */
  readonly reaction: string;
}

export interface ProfileChange {
  readonly address: string;
  readonly proxyWallet?: string | undefined;
  readonly name?: string | undefined;
  readonly bio?: string | undefined;
  readonly profileImage?: string | undefined;
  readonly displayUsernamePublic?: boolean | undefined;
  readonly nowIso: string;
}

export interface ProfileClearing {
  readonly address: string;
  readonly nowIso: string;
  readonly said: Attribution;
}

export interface CatalogWriteKinds {
  /** See `Catalog.importEvents`. */
  readonly importEvents: { ask: unknown; answer: undefined };
  /** Stores all records or none. A stored record with the same id is overwritten. */
  readonly putRecords: { ask: RecordBatch; answer: undefined };
  /** Stores the valid records of a page of a sync, and the mark after the page. */
  readonly putPage: { ask: IntakePage; answer: PageReport };
  /** The mark after the last stored page of a source's list. */
  readonly syncMark: {
    ask: { readonly source: string; readonly kind: RecordKind };
    answer: string | undefined;
  };
  /** These imported markets trade here from now on. */
  readonly markTraded: { ask: { readonly conditionIds: readonly string[] }; answer: undefined };
  readonly edit: { ask: CatalogEdit; answer: CatalogEdited };
  readonly add: { ask: CatalogAddition; answer: CatalogEdited };
  /** Writes nothing: it checks the form of a new event, which takes 20 ms for 500 markets. */
  readonly checkEvent: { ask: { readonly record: unknown }; answer: undefined };
  /** If a plan of that name exists, answers it and stores nothing. */
  readonly addEvent: {
    ask: { readonly record: unknown; readonly plan: CatalogPlan };
    answer: CatalogPlan | undefined;
  };
  readonly addMarket: {
    ask: { readonly record: unknown; readonly plan: CatalogPlan };
    answer: CatalogPlan | undefined;
  };
  readonly withdraw: {
    ask: { readonly plan: CatalogPlan; readonly conditionIds: readonly string[] };
    answer: undefined;
  };
  readonly finishPlan: { ask: { readonly name: string }; answer: undefined };
  readonly markEnded: { ask: MarketEnds; answer: undefined };
  /** Answers the number of placeholders made. */
  readonly reconcile: {
    ask: { readonly markets: readonly KnownMarket[]; readonly ends: MarketEnds };
    answer: number;
  };
  /** Figures of markets that are not stored are dropped. */
  readonly putFigures: { ask: readonly MarketFigures[]; answer: undefined };
  readonly comment: { ask: NewComment; answer: CommentChange };
  readonly editComment: { ask: CommentCommand & { readonly body: string }; answer: CommentChange };
  /** By its author. Replies stay. */
  readonly removeComment: { ask: CommentCommand; answer: CommentChange };
  readonly moderateComment: { ask: Moderation; answer: CommentChange };
  /** A user's repeated report is not counted. */
  readonly reportComment: {
    ask: CommentCommand & { readonly reason: string };
    answer: CommentChange;
  };
  readonly react: { ask: ReactionCommand; answer: CommentChange };
  readonly unreact: { ask: ReactionCommand; answer: CommentChange };
  /** Both answer with the profile as GET /public-profile returns it. */
  readonly setProfile: { ask: ProfileChange; answer: SlottedJson };
  readonly clearProfile: { ask: ProfileClearing; answer: SlottedJson };
}
export type CatalogWriteKind = keyof CatalogWriteKinds;

/**
 * Each rejects with `CatalogImportError` for malformed or conflicting records, with
 * `CatalogRefusal` for what can't be done, and with StoreError `catalog_unavailable` or
 * `overloaded`. After the latter two the outcome is unknown, and the write may be repeated.
 */
export type CatalogWrites = {
  readonly [Kind in CatalogWriteKind]: (
    ask: CatalogWriteKinds[Kind]['ask'],
  ) => Promise<CatalogWriteKinds[Kind]['answer']>;
};
