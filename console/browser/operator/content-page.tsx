/** Reported comments, and the records that events refer to: tags, series and creators. */
import { useSignal } from '@preact/signals';
import { linkTo, Segments, setter, useTitle } from '../kit/index.ts';
import { ListViews, listOf, type OperatorListTerms, type RowOf } from './list.tsx';
import type { Write } from './writes.tsx';

type Reported = RowOf<'/comments/reported'>;

/** The most reported ones. */
const MOST = 100;

function moderationWrites({ id, hidden, userAddress }: Reported): readonly Write[] {
  const moderate = (act: string, title: string, submit: string): Write => ({
    ...{ title, submit, method: 'POST', route: '/comments/{id}/moderate', params: { id } },
    ...{ start: { act }, hidden: ['act'] },
  });
  return [
    hidden ? moderate('unhide', 'Show again', 'Show it') : moderate('hide', 'Hide', 'Hide it'),
    {
      ...moderate('remove', 'Remove', 'Remove the comment'),
      warnOf: () => 'The comment is removed for good, with what was said in it.',
    },
    {
      ...{ title: 'Clear the profile', method: 'POST', route: '/profiles/{address}/clear' },
      ...{ params: { address: userAddress ?? '' }, submit: 'Clear the profile' },
      warnOf: () => 'Name, picture and text of the profile are removed; its pseudonym stays.',
    },
  ];
}

const ReportedComments = listOf('/comments/reported', {
  label: 'Reported comments',
  query: { limit: MOST },
  keyOf: ({ id }) => id,
  empty: 'No comment is reported.',
  columns: [
    [
      'Comment',
      ({ body, hidden }) => (
        <>
          {body} {hidden && <span class="badge warn">hidden</span>}
        </>
      ),
    ],
    ['Of', ({ userAddress }) => userAddress ?? '', 'id', 'minor'],
    ['Reports', ({ reports }) => reports.length, 'number'],
    [
      'Reasons',
      ({ reports }) => [...new Set(reports.map(({ reason }) => reason))].join(', '),
      ...(['text', 'minor'] as const),
    ],
  ],
  writes: moderationWrites,
  subject: ({ id }) => `comment ${id}`,
  isFolded: true,
});

interface CatalogRecord {
  readonly id: string;
  readonly slug?: string | undefined;
  readonly updatedAt?: string | null | undefined;
}

/** The list of a kind of records, each with its name in one field. */
function recordTerms<Field extends string>(
  kind: string,
  one: string,
  field: Field,
): OperatorListTerms<CatalogRecord & { readonly [Name in Field]?: string | undefined }> {
  const nameOf = (record: { readonly [Name in Field]?: string | undefined }) => record[field] ?? '';
  return {
    label: 'Records',
    query: { limit: MOST },
    keyOf: ({ id }) => id,
    empty: 'There is none yet.',
    columns: [
      ['Name', nameOf],
      ['Slug', ({ slug }) => slug ?? '–', 'text', 'minor'],
      ['Changed', ({ updatedAt }) => updatedAt, 'moment', 'minor'],
    ],
    tools: () => [{ title: `New ${one}`, method: 'POST', route: `/${kind}`, submit: 'Create it' }],
    writes: (record) => [
      {
        ...{ title: 'Edit', method: 'PUT', route: `/${kind}/{id}`, params: { id: record.id } },
        ...{ start: { [field]: nameOf(record) }, submit: 'Save' },
      },
    ],
    subject: nameOf,
  };
}

const RECORDS = {
  Tags: listOf('/tags', recordTerms('tags', 'tag', 'label')),
  Series: listOf('/series', recordTerms('series', 'series', 'title')),
  Creators: listOf('/events/creators', recordTerms('creators', 'creator', 'creatorName')),
} as const;
type Kind = keyof typeof RECORDS;
const KINDS: readonly Kind[] = ['Tags', 'Series', 'Creators'];

function Records() {
  const kind = useSignal<Kind>('Tags');
  const List = RECORDS[kind.value];
  return (
    <>
      <Segments
        label="Which records"
        value={kind.value}
        options={KINDS.map((one) => [one, one] as const)}
        onChange={setter(kind)}
      />
      <List key={kind.value} />
    </>
  );
}

export function ContentPage() {
  useTitle('Content');
  return (
    <div class="panel stack">
      <div class="row apart">
        <h1>Content</h1>
        <a href={linkTo(['markets'])}>Events and markets</a>
      </div>
      <ListViews
        views={[
          ['Reported comments', ReportedComments],
          ['Tags, series, creators', Records],
        ]}
      />
    </div>
  );
}
