/** Writes orders and cancels as programs of formats 5 and 6 did: values without field names. */
import type { Command } from '../../../engine/index.ts';

export function valuesPayload(command: Command, evidence: unknown): string {
  const values = valuesOf(command);
  if (values === undefined) return JSON.stringify({ command, evidence });
  return JSON.stringify(evidence === undefined ? values : [...values, { evidence }]);
}

function valuesOf(command: Command): readonly unknown[] | undefined {
  if (command.kind === 'cancel_orders') return [command.owner, command.orderIds];
  if (command.kind !== 'place_order') return undefined;
  const { account, owner, opens, broughtBy } = command;
  return [
    ...[command.orderId, account, owner === account ? null : owner, command.tokenId],
    ...[command.side, command.type, command.postOnly, command.priceTicks, command.lots],
    ...[command.budgetMicros, command.expiresAtMs, command.minimumLeadMs, command.idCheckedSeq],
    opens === undefined ? null : [opens.wallet, opens.paperMicros],
    ...[command.apiKey, command.builder ?? null],
    ...(broughtBy === undefined ? [] : [broughtBy]),
  ];
}
