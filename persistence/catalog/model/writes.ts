/**
 * What the catalog's one writing thread is asked to do. Invariant: each is one transaction: a
 * write that is refused or fails changes nothing, and one that is answered is committed. Bounds:
 * CATALOG_BOUNDS.
 */
import type {
  CatalogPlan,
  ImportReport,
  IntakePage,
  KnownMarket,
  MarketEnds,
  PageReport,
  RecordBatch,
  RecordKind,
} from './records.ts';
import type { CatalogText, CommentParent } from './text.ts';

/** What the operator edits: fields of the import's form in place of those stored. */
export interface CatalogEdit {
  readonly kind: 'event' | 'market' | 'series' | 'tag' | 'creator';
  readonly id: number;
  readonly changes: Readonly<Record<string, unknown>>;
  /** `updatedAt`, ISO 8601 in UTC. */
  readonly nowIso: string;
  readonly said: WhoAndWhy;
}

/** Who asked the operator's listener for something, and why: listed with it for good. */
export interface WhoAndWhy {
  readonly by: string;
  readonly reason: string;
}

/** A thing of the operator, new: its id is made from its slug or name where it has none. */
export interface CatalogAddition {
  readonly kind: 'series' | 'tag' | 'creator';
  readonly record: Readonly<Record<string, unknown>>;
  readonly nowIso: string;
  readonly said: WhoAndWhy;
}

/** What became of an edit or addition. */
export interface CatalogEdited {
  readonly id: number;
  /** Whether anything changed: the same again does not, and is not listed. */
  readonly changed: boolean;
}

/** What trading says of a market; amounts in collateral. */
export interface MarketFigures {
  readonly conditionId: string;
  readonly volume: number;
  readonly volume24hr: number;
  readonly liquidity: number;
}

export interface NewComment {
  readonly parent: CommentParent;
  /** What it answers; it then has the same parent. */
  readonly parentCommentId?: number | undefined;
  readonly userAddress: string;
  /** Whom it answers; empty or not given: nobody in particular. */
  readonly replyAddress?: string | undefined;
  /** 1 to `WORD_BOUNDS.commentChars` characters. */
  readonly body: string;
  /** Names the request: the same again is answered with what it made. Empty: its content does. */
  readonly key: string;
  /** From when on earlier requests count, ISO 8601. */
  readonly sinceIso: string;
  readonly nowIso: string;
}

export interface CommentAct {
  readonly id: number;
  readonly userAddress: string;
  readonly nowIso: string;
}

export interface ReactionAct extends CommentAct {
  /** Such as `HEART`: 1 to `WORD_BOUNDS.reactionChars` characters. */
  readonly reactionType: string;
  readonly icon?: string | undefined;
}

/**
 * By the operator: hidden from all answers, shown again, or its words taken away as its author can.
 */
export const MODERATIONS = ['hide', 'unhide', 'remove'] as const;

export interface Moderation {
  readonly id: number;
  readonly act: (typeof MODERATIONS)[number];
  readonly nowIso: string;
  readonly said: WhoAndWhy;
}

/** What became of a comment or reaction, as the live-data socket tells it (wire 7.2). */
export interface CommentChange {
  /** Whether anything changed: the same reaction twice does not. */
  readonly changed: boolean;
  readonly commentId: number;
  readonly parent: CommentParent;
  /** Of its event, or of its market's event; empty for a series. */
  readonly eventSlug: string;
  /** The comment as it is now, or was until it was removed or hidden. */
  readonly text: CatalogText;
  /** JSON of the reaction that it is about; empty where it is about none. */
  readonly reaction: string;
}

export interface ProfileChange {
  /** The owner's. */
  readonly address: string;
  readonly proxyWallet?: string | undefined;
  readonly name?: string | undefined;
  readonly bio?: string | undefined;
  readonly profileImage?: string | undefined;
  readonly displayUsernamePublic?: boolean | undefined;
  readonly nowIso: string;
}

/** By the operator: all that its owner said of itself is taken away. */
export interface ProfileClearing {
  readonly address: string;
  readonly nowIso: string;
  readonly said: WhoAndWhy;
}

/** What is asked and what is answered, by kind. */
export interface CatalogWriteKinds {
  /** Events with all that is in them; `records` as `Catalog.importEvents` takes them. */
  readonly importEvents: { ask: unknown; answer: ImportReport };
  /** All of them or none; one that is stored under its id is overwritten. */
  readonly putRecords: { ask: RecordBatch; answer: undefined };
  /** What is good of a page of a sync, and how far it was read. */
  readonly putPage: { ask: IntakePage; answer: PageReport };
  /** How far a source's list was read by an earlier run. */
  readonly syncMark: {
    ask: { readonly source: string; readonly kind: RecordKind };
    answer: string | undefined;
  };
  /** Markets that trade here from now on, whoever brought them. */
  readonly noteTraded: { ask: { readonly conditionIds: readonly string[] }; answer: undefined };
  readonly edit: { ask: CatalogEdit; answer: CatalogEdited };
  readonly add: { ask: CatalogAddition; answer: CatalogEdited };
  /** Answers a plan of that name that is there already, and has stored nothing then. */
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
  readonly noteEnds: { ask: MarketEnds; answer: undefined };
  /** Answers the number of stand-ins. */
  readonly agreeWith: {
    ask: { readonly markets: readonly KnownMarket[]; readonly ends: MarketEnds };
    answer: number;
  };
  /** Of markets that are not stored nothing is kept. */
  readonly putFigures: { ask: readonly MarketFigures[]; answer: undefined };
  readonly comment: { ask: NewComment; answer: CommentChange };
  readonly editComment: { ask: CommentAct & { readonly body: string }; answer: CommentChange };
  /** By its author. Its replies stay. */
  readonly removeComment: { ask: CommentAct; answer: CommentChange };
  readonly moderateComment: { ask: Moderation; answer: CommentChange };
  /** Counted once a user. */
  readonly reportComment: {
    ask: CommentAct & { readonly reason: string };
    answer: CommentChange;
  };
  readonly react: { ask: ReactionAct; answer: CommentChange };
  readonly unreact: { ask: ReactionAct; answer: CommentChange };
  /** Answers the profile as GET /public-profile tells it. */
  readonly setProfile: { ask: ProfileChange; answer: CatalogText };
  readonly clearProfile: { ask: ProfileClearing; answer: CatalogText };
}
export type CatalogWriteKind = keyof CatalogWriteKinds;

/**
 * Each rejects with `CatalogImportError` for records that are malformed or in conflict, with
 * `CatalogRefusal` for what can't be done, and with StoreError `catalog_unavailable` or
 * `overloaded`: what became of the write is then not known, and it may be asked for again.
 */
export type CatalogWrites = {
  readonly [Kind in CatalogWriteKind]: (
    ask: CatalogWriteKinds[Kind]['ask'],
  ) => Promise<CatalogWriteKinds[Kind]['answer']>;
};

const KINDS: Readonly<Record<CatalogWriteKind, true>> = {
  importEvents: true,
  putRecords: true,
  putPage: true,
  syncMark: true,
  noteTraded: true,
  edit: true,
  add: true,
  addEvent: true,
  addMarket: true,
  withdraw: true,
  finishPlan: true,
  noteEnds: true,
  agreeWith: true,
  putFigures: true,
  comment: true,
  editComment: true,
  removeComment: true,
  moderateComment: true,
  reportComment: true,
  react: true,
  unreact: true,
  setProfile: true,
  clearProfile: true,
};
// Safe: KINDS has no other keys.
export const CATALOG_WRITES = Object.keys(KINDS) as readonly CatalogWriteKind[];
