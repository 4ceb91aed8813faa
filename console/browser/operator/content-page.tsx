/** Reported comments, and the records that events refer to: tags, series and creators. */
import { useSignal } from '@preact/signals';
import {
  type Column,
  Id,
  Loaded,
  linkTo,
  Moment,
  Segments,
  Table,
  Tabs,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { type Comment, send } from '../wire/index.ts';
import type { Write } from './action-dialog.tsx';
import { FoldedWrites, Writes } from './writes.tsx';

type Reported = Comment & {
  readonly hidden: boolean;
  readonly reports: readonly { readonly reason: string }[];
};

/** The most reported ones. */
const MOST = 100;

function moderationWrites({ id, hidden, userAddress }: Reported): readonly Write[] {
  const act = { method: 'POST', route: '/comments/{id}/moderate', params: { id } } as const;
  return [
    hidden
      ? {
          ...act,
          title: 'Show again',
          start: { act: 'unhide' },
          hidden: ['act'],
          submit: 'Show it',
        }
      : { ...act, title: 'Hide', start: { act: 'hide' }, hidden: ['act'], submit: 'Hide it' },
    {
      ...{ ...act, title: 'Remove', start: { act: 'remove' }, hidden: ['act'] },
      submit: 'Remove the comment',
      warnOf: () => 'The comment is removed for good, with what was said in it.',
    },
    {
      ...{ title: 'Clear the profile', method: 'POST', route: '/profiles/{address}/clear' },
      params: { address: userAddress ?? '' },
      submit: 'Clear the profile',
      warnOf: () => 'Name, picture and text of the profile are removed; its pseudonym stays.',
    },
  ];
}

function reasonsOf({ reports }: Reported): string {
  return [...new Set(reports.map(({ reason }) => reason))].join(', ');
}

function ReportedComments() {
  const comments = useResource(
    (signal) =>
      send<readonly Reported[]>({
        ...{ method: 'GET', path: '/comments/reported', auth: 'operator', signal },
        query: { limit: MOST },
      }),
    [],
  );
  const columns: readonly Column<Reported>[] = [
    {
      head: 'Comment',
      cell: ({ body, hidden }) => (
        <>
          {body} {hidden && <span class="badge warn">hidden</span>}
        </>
      ),
    },
    { head: 'Of', cell: ({ userAddress }) => <Id text={userAddress ?? ''} />, isMinor: true },
    { head: 'Reports', cell: ({ reports }) => reports.length, isNumber: true },
    { head: 'Reasons', cell: reasonsOf, isMinor: true },
    {
      head: 'Actions',
      cell: (comment) => (
        <FoldedWrites
          writes={moderationWrites(comment)}
          subject={`comment ${comment.id}`}
          onDone={comments.reload}
        />
      ),
    },
  ];
  return (
    <Loaded resource={comments}>
      {(found) => (
        <Table
          label="Reported comments"
          rows={found}
          keyOf={({ id }) => id}
          columns={columns}
          empty="No comment is reported."
        />
      )}
    </Loaded>
  );
}

const KINDS = [
  ['tags', 'Tags'],
  ['series', 'Series'],
  ['creators', 'Creators'],
] as const;
type Kind = (typeof KINDS)[number][0];

/** A tag, a series or a creator, with what all of them have. */
interface CatalogRecord {
  readonly id: string;
  readonly slug?: string;
  readonly label?: string;
  readonly title?: string;
  readonly creatorName?: string;
  readonly updatedAt?: string | null;
}

const ONE = { tags: 'tag', series: 'series', creators: 'creator' } as const;

function createWrite(kind: Kind): Write {
  return {
    ...{ title: `New ${ONE[kind]}`, method: 'POST', route: `/${kind}` },
    submit: 'Create it',
  };
}

function editWrite(kind: Kind, { id, label, title, creatorName }: CatalogRecord): Write {
  const start = { tags: { label }, series: { title }, creators: { creatorName } }[kind];
  return {
    ...{ title: 'Edit', method: 'PUT', route: `/${kind}/{id}`, params: { id } },
    start: Object.fromEntries(Object.entries(start).map(([name, text]) => [name, text ?? ''])),
    submit: 'Save',
  };
}

function nameOf({ label, title, creatorName, id }: CatalogRecord): string {
  return label ?? title ?? creatorName ?? id;
}

function Records() {
  const kind = useSignal<Kind>('tags');
  const records = useResource(
    (signal) =>
      send<readonly CatalogRecord[]>({
        ...{ method: 'GET', path: `/${kind.value}`, auth: 'operator', signal },
        query: { limit: MOST },
      }),
    [kind.value],
  );
  return (
    <div class="stack">
      <div class="row apart">
        <Segments
          label="Which records"
          value={kind.value}
          options={KINDS}
          onChange={(value) => {
            kind.value = value;
          }}
        />
        <Writes key={kind.value} writes={[createWrite(kind.value)]} onDone={records.reload} />
      </div>
      <Loaded resource={records}>
        {(found) => (
          <Table
            label="Records"
            rows={found}
            keyOf={({ id }) => id}
            empty="There is none yet."
            columns={[
              { head: 'Name', cell: nameOf },
              { head: 'Slug', cell: ({ slug }) => slug ?? '–', isMinor: true },
              {
                ...{ head: 'Changed', isMinor: true },
                cell: ({ updatedAt }) =>
                  updatedAt ? <Moment timeMs={Date.parse(updatedAt)} /> : '–',
              },
              {
                head: 'Actions',
                cell: (record) => (
                  <Writes
                    writes={[editWrite(kind.value, record)]}
                    subject={nameOf(record)}
                    onDone={records.reload}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}

const TABS = [
  ['reported', 'Reported comments'],
  ['records', 'Tags, series, creators'],
] as const;

export function ContentPage() {
  useTitle('Content');
  const tab = useSignal<(typeof TABS)[number][0]>('reported');
  return (
    <div class="panel stack">
      <div class="row apart">
        <h1>Content</h1>
        <a href={linkTo(['markets'])}>Events and markets</a>
      </div>
      <Tabs
        label="What is shown"
        tabs={TABS}
        chosen={tab.value}
        onChoose={(name) => {
          tab.value = name;
        }}
      >
        {tab.value === 'reported' ? <ReportedComments /> : <Records />}
      </Tabs>
    </div>
  );
}
