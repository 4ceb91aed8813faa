/** The console of the public listener. */
import type { ComponentType } from 'preact';
import { render } from 'preact';
import { IdentityMenu, startIdentity, startOwnChannel } from './identity/index.ts';
import { Empty, lazy, Page, place } from './kit/index.ts';
import { EventPage, MarketsPage } from './markets/index.ts';

interface Area {
  /** The first segment of its address. */
  readonly segment: string;
  /** Its name in the navigation; absent for pages that others link to. */
  readonly text?: string;
  readonly component: ComponentType;
}

/** The pages. Those that are not shown first are loaded when somebody opens them. */
const AREAS: readonly Area[] = [
  { segment: 'markets', text: 'Markets', component: MarketsPage },
  { segment: 'event', component: EventPage },
  {
    segment: 'market',
    component: lazy(async () => (await import('./market/index.ts')).MarketPage),
  },
];

function Unknown() {
  return (
    <Empty>
      There is no such page. <a href="#/">Go to the markets</a>
    </Empty>
  );
}

function Console() {
  const [segment = 'markets'] = place.value.segments;
  const Area = AREAS.find((area) => area.segment === segment)?.component ?? Unknown;
  const places = AREAS.flatMap(({ segment, text }) =>
    text === undefined ? [] : [[segment, text] as const],
  );
  return (
    <Page name="outcome-exchange" places={places} aside={<IdentityMenu />}>
      <Area />
    </Page>
  );
}

startIdentity();
startOwnChannel();
render(<Console />, document.body);
