/** What every portfolio has: figures, the balance over time, and lists in tabs. */
import type { ComponentChildren } from 'preact';
import { Loaded, place, replaceQuery, Tabs, useResource } from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { ActivityPanel } from './activity-panel.tsx';
import { fetchDayStart } from './balance-history.ts';
import { BalancePanel } from './balance-panel.tsx';
import { ClosedPanel } from './closed-panel.tsx';
import { OwnFills, PublicFills } from './fills-panel.tsx';
import { fetchHoldings, type Holdings } from './holdings.ts';
import { type PositionActions, Positions } from './positions-table.tsx';
import { type CashFigures, Summary } from './summary.tsx';
import { PORTFOLIO_TIMES, useReload } from './use-pages.ts';

/** A tab that only some portfolios have. */
export interface ExtraTab {
  readonly name: string;
  readonly text: string;
  readonly content: () => ComponentChildren;
}

interface PanelsProps {
  readonly account: string;
  readonly isOwn: boolean;
  /** Whether the exchange tells the balance over time. */
  readonly hasHistory: boolean;
  /** Undefined where it is not known. */
  readonly cash: CashFigures | undefined;
  readonly actions: PositionActions | undefined;
  readonly extraTabs: readonly ExtraTab[];
}

/** What tells that something happened to the account: nothing does for others. */
function changesOf(isOwn: boolean) {
  const { balances, trades } = pageStreams().user;
  return isOwn ? [balances, trades] : [];
}

/** The change of the total within a day; undefined until it is known. */
function useDayChange({ account, isOwn, hasHistory, cash }: PanelsProps, holdings?: Holdings) {
  const start = useResource(
    async (signal) => (hasHistory ? fetchDayStart({ account, isOwn }, signal) : undefined),
    [account, hasHistory],
    { everyMs: PORTFOLIO_TIMES.historyMs },
  ).now.value;
  if (start.state !== 'ready' || start.value === undefined) return undefined;
  if (cash === undefined || holdings === undefined) return undefined;
  return cash.freeMicros + cash.heldMicros + holdings.valueMicros - start.value;
}

function contentOf(name: string, props: PanelsProps): ComponentChildren {
  const { account, isOwn, extraTabs } = props;
  if (name === 'fills') {
    return isOwn ? <OwnFills account={account} /> : <PublicFills account={account} />;
  }
  const changes = changesOf(isOwn);
  if (name === 'activity') return <ActivityPanel account={account} changes={changes} />;
  if (name === 'closed') return <ClosedPanel account={account} changes={changes} />;
  return extraTabs.find((tab) => tab.name === name)?.content();
}

export function AccountPanels(props: PanelsProps) {
  const { account, isOwn, hasHistory, cash, actions, extraTabs } = props;
  const holdings = useResource((signal) => fetchHoldings(account, signal), [account], {
    everyMs: PORTFOLIO_TIMES.pricesMs,
  });
  useReload(holdings.reload, changesOf(isOwn));
  const now = holdings.now.value;
  const dayMicros = useDayChange(props, now.state === 'ready' ? now.value : undefined);
  const tabs = [
    ['positions', 'Positions'] as const,
    ...extraTabs.slice(0, 1).map(({ name, text }) => [name, text] as const),
    ['fills', 'Fills'] as const,
    ['activity', 'Activity'] as const,
    ['closed', 'Closed positions'] as const,
    ...extraTabs.slice(1).map(({ name, text }) => [name, text] as const),
  ];
  const { query } = place.value;
  const wanted = query.get('tab');
  const [chosen] = tabs.find(([name]) => name === wanted) ?? tabs[0] ?? ['positions'];
  return (
    <>
      <Loaded resource={holdings} lines={2}>
        {(value) => <Summary cash={cash} holdings={value} dayMicros={dayMicros} />}
      </Loaded>
      <section class="panel lists" aria-label="Lists">
        <Tabs
          label="Lists"
          tabs={tabs}
          chosen={chosen}
          onChoose={(tab) => replaceQuery({ ...Object.fromEntries(query), tab })}
        >
          {chosen === 'positions' ? (
            <Loaded resource={holdings}>
              {({ positions, isCut }) => (
                <>
                  <Positions positions={positions} actions={actions} />
                  {isCut && (
                    <p class="stale">
                      Only the {positions.length} largest positions are shown and added up.
                    </p>
                  )}
                </>
              )}
            </Loaded>
          ) : (
            contentOf(chosen, props)
          )}
        </Tabs>
      </section>
      {hasHistory && <BalancePanel owner={{ account, isOwn }} />}
    </>
  );
}
