/** The first page: events with their markets. */
import { Loaded, Table, useResource, useTitle } from '../kit/index.ts';
import { type EventPage, send } from '../wire/index.ts';

export function MarketsPage() {
  useTitle('Markets');
  const events = useResource(
    (signal) =>
      send<EventPage>({
        method: 'GET',
        path: '/events/pagination',
        query: { limit: 50, closed: false, order: 'volume24hr', ascending: false },
        signal,
      }),
    [],
  );
  return (
    <div class="panel">
      <h1>Markets</h1>
      <Loaded resource={events}>
        {({ data }) => (
          <Table
            label="Events"
            rows={data}
            keyOf={({ id }) => id}
            columns={[{ head: 'Event', cell: ({ title }) => title }]}
            empty="No event matches."
          />
        )}
      </Loaded>
    </div>
  );
}
