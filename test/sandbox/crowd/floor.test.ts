/** Which markets the crowd trades in. */
import t from 'tap';
import { DEFAULT_CROWD_MODEL } from '../../../http/settings/crowd.ts';
import { CrowdModes } from '../../../sandbox/crowd/characters.ts';
import { CROWD_MARKETS, Floor } from '../../../sandbox/crowd/floor.ts';

/** A floor over markets whose status a test sets. */
function makeFloor(count: number) {
  const markets = Array.from({ length: count }, (_, index) => ({
    conditionId: `market ${index}`,
    negRisk: false,
    tokenIds: ['1', '2'],
    status: 'open',
  }));
  const registry = {
    counts: { markets: count },
    markets: () => markets,
    market: (id: string) => markets.find(({ conditionId }) => conditionId === id),
  };
  const settings = { crowdSeed: 1, crowdModel: DEFAULT_CROWD_MODEL };
  const rest = {
    books: { token: () => undefined },
    makers: [{}, {}, {}],
    modes: new CrowdModes('live'),
    textsOf: () => undefined,
    now: () => 0,
  };
  // Safe: to list markets the floor uses these parts alone.
  const parts = { registry, settings, ...rest } as unknown as ConstructorParameters<
    typeof Floor
  >[0];
  const floor = new Floor(parts);
  const close = (index: number): void => {
    const market = markets[index];
    if (market !== undefined) market.status = 'closed';
  };
  const listed = (): string[] => {
    floor.update();
    return floor.markets.map(({ conditionId }) => conditionId);
  };
  return { floor, close, listed };
}

t.test('the first markets that are not over have a place', async (t) => {
  const { floor, close, listed } = makeFloor(CROWD_MARKETS + 2);
  close(0);
  t.equal(listed().length, CROWD_MARKETS);
  t.notOk(listed().includes('market 0'));
  t.equal(floor.find(`market ${CROWD_MARKETS + 1}`), undefined, 'there is no room for it');
  close(5);
  t.ok(listed().includes(`market ${CROWD_MARKETS + 1}`), 'one that is over makes room');
  t.notOk(listed().includes('market 5'));
  close(6);
  t.equal(listed().length, CROWD_MARKETS - 1, 'no other waits');
  close(7);
  t.ok(listed().includes('market 7'), 'it is still shown while there is room');
});
