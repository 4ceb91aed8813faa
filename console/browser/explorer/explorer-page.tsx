/** The explorer's places: the newest commands, and each record at an address of its own. */
import type { ComponentType } from 'preact';
import { useContext } from 'preact/hooks';
import { Empty, Loaded, place, ToolsHead } from '../kit/index.ts';
import { ExploredAccount } from './account-view.tsx';
import { ExploredCommand } from './command-view.tsx';
import { Commands } from './commands.tsx';
import type { RecordKind } from './fields.ts';
import { ExploredMarket } from './market-view.tsx';
import { ExploredOrder } from './order-view.tsx';
import { Search } from './search.tsx';
import { IsOperator, useRecord } from './source.tsx';
import { ExploredTrade } from './trade-view.tsx';

function ExploredToken({ id }: { readonly id: string }) {
  const found = useRecord('/markets', { query: { clob_token_ids: id } });
  return (
    <Loaded resource={found}>
      {(answer) => {
        // Without a cursor, the markets are a list.
        const [market] = Array.isArray(answer) ? answer : [];
        return market === undefined ? (
          <Empty>No market of the catalog has the token {id}.</Empty>
        ) : (
          <ExploredMarket id={market.conditionId} />
        );
      }}
    </Loaded>
  );
}

export type RecordView = ComponentType<{ readonly id: string }>;

const VIEWS: Readonly<Record<RecordKind, RecordView>> = {
  command: ExploredCommand,
  order: ExploredOrder,
  trade: ExploredTrade,
  account: ExploredAccount,
  market: ExploredMarket,
  token: ExploredToken,
};

function isKind(text: string): text is RecordKind {
  return Object.hasOwn(VIEWS, text);
}

function Content() {
  const [, kind, id = ''] = place.value.segments;
  if (kind === undefined) return <Commands />;
  if (!isKind(kind)) {
    return (
      <Empty>
        The explorer has no {kind}. <a href="#/explorer">Go to the newest commands</a>
      </Empty>
    );
  }
  const View = VIEWS[kind];
  return <View key={id} id={id} />;
}

export function ExplorerPage() {
  const isOperator = useContext(IsOperator);
  return (
    <div class="stack">
      <ToolsHead here="explorer" isOperator={isOperator} />
      <Search />
      <Content />
    </div>
  );
}

export function OperatorExplorerPage() {
  return (
    <IsOperator.Provider value>
      <ExplorerPage />
    </IsOperator.Provider>
  );
}
