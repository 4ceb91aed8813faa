/** A token: the page of its market. */
import { Empty, Loaded } from '../kit/index.ts';
import { ExploredMarket } from './market-view.tsx';
import { useRecord } from './source.tsx';

export function ExploredToken({ id }: { readonly id: string }) {
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
