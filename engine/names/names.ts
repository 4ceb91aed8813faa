/** The names that an engine's state gives for numbers. */
import type { EngineNames } from '../model/index.ts';
import type { EngineState } from '../state/index.ts';

export function engineNames(state: EngineState): EngineNames {
  const { accounts, owners } = state.ledger;
  return {
    account: (index) => accounts[index]!.address,
    owner: (index) => owners[index]!.address,
    token: (index) => state.token(index)!.tokenId,
  };
}
