// Related tags over HTTP against a plain count of the tags of events.
import t from 'tap';
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import { startMarketServer } from '../../http/routes/market-server.ts';

/** Some events are closed, some archived, so that a status makes a difference. */
const events = builtinEvents().map((event, place) => ({
  ...event,
  active: true,
  closed: place % 3 === 0,
  archived: place % 4 === 1,
}));

type Event = (typeof events)[number];
const STATUSES: Readonly<Record<string, (event: Event) => boolean>> = {
  '': () => true,
  '?status=all': () => true,
  '?status=active': ({ closed, archived }) => !closed && !archived,
  '?status=closed&omit_empty=true': ({ closed }) => closed,
};

/** Ids of the tags that share events with a tag, the most frequent first. */
function relatedTo(id: string, keeps: (event: Event) => boolean): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of events.filter(keeps)) {
    if (!tags.some((tag) => tag.id === id)) continue;
    for (const tag of tags) {
      if (tag.id !== id) counts.set(tag.id, (counts.get(tag.id) ?? 0) + 1);
    }
  }
  const byCount = [...counts].sort(
    ([one, few], [other, many]) => many - few || Number(one) - Number(other),
  );
  return byCount.map(([tagId]) => tagId);
}

t.test('tags are related by the events that they share', async (t) => {
  const { get } = await startMarketServer(t, events);
  const tags = new Map(events.flatMap((event) => event.tags.map((tag) => [tag.id, tag])));
  const ids = new Set<string>();
  for (const { id, slug } of tags.values()) {
    for (const [query, keeps] of Object.entries(STATUSES)) {
      const related = relatedTo(id, keeps);
      const pairs = related.map((tagId, index) => ({
        tagID: Number(id),
        relatedTagID: Number(tagId),
        rank: index + 1,
      }));
      const byId = await get(`/tags/${id}/related-tags${query}`);
      t.match(byId.body, pairs, `${slug} ${query}`);
      t.same((await get(`/tags/slug/${slug}/related-tags${query}`)).body, byId.body);
      const whole = await get(`/tags/${id}/related-tags/tags${query}`);
      t.same(
        whole.body,
        related.map((tagId) => tags.get(tagId)),
        `${slug} ${query}`,
      );
      t.same((await get(`/tags/slug/${slug}/related-tags/tags${query}`)).body, whole.body);
      if (query !== '') continue;
      // Safe: it was just compared.
      for (const pair of byId.body as { readonly id: string }[]) {
        t.match(pair.id, /^\d+$/);
        t.notOk(ids.has(pair.id), 'each pair has its own id');
        ids.add(pair.id);
      }
    }
  }
  t.ok(ids.size > 10, 'some are related');
  t.match(await get('/tags/7/related-tags?status=open'), {
    status: 400,
    body: { field: 'status', code: 'invalid_parameter' },
  });
});
