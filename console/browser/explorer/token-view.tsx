/** A token: the page of its market. */
import { useContext } from 'preact/hooks';
import { Empty, Loaded, useResource } from '../kit/index.ts';
import { send } from '../wire/index.ts';
import { ExploredMarket } from './market-view.tsx';
import { IsOperator } from './source.tsx';

type Found = readonly { readonly conditionId: string }[];

export function ExploredToken({ id }: { readonly id: string }) {
  const isOperator = useContext(IsOperator);
  const found = useResource(
    (signal) =>
      send<Found>({
        ...{ method: 'GET', path: '/markets', query: { clob_token_ids: id }, signal },
        ...(isOperator ? { auth: 'operator' } : {}),
      }),
    [id],
  );
  return (
    <Loaded resource={found}>
      {([market]) =>
        market === undefined ? (
          <Empty>No market of the catalog has the token {id}.</Empty>
        ) : (
          <ExploredMarket id={market.conditionId} />
        )
      }
    </Loaded>
  );
}
