/** What the owner of an order signed, as the EIP-712 message that a wallet shows. */
import { type Static, Type } from 'typebox';
import type { PlaceOrder } from '../../engine/index.ts';
import { signedContent } from '../orders/order-evidence.ts';
import { Text } from '../parameters/index.ts';
import { ORDER_DOMAIN_STRUCT, ORDER_STRUCT_TYPES, structMembers } from '../signing/order-struct.ts';

const Member = Type.Object({ name: Type.String(), type: Type.String() });

export const Signed = Type.Object(
  {
    signer: Text('The owner: the address that was recovered from the signature'),
    signature: Text('0x and hex digits; of a deposit wallet in its wrapped form'),
    signature_type: Type.Integer({
      description: '0 own address, 1 proxy wallet, 2 Safe, 3 deposit wallet',
    }),
    digest: Text('The EIP-712 hash of the message, which is the order id'),
    typed_data: Type.Object(
      {
        types: Type.Record(Type.String(), Type.Array(Member)),
        primaryType: Type.String(),
        domain: Type.Object({
          name: Type.String(),
          version: Type.String(),
          chainId: Type.Integer(),
          verifyingContract: Type.String(),
        }),
        message: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()])),
      },
      { description: 'As in `eth_signTypedData_v4`' },
    ),
  },
  { description: 'What was signed, if the command is an order' },
);
export type Signed = Static<typeof Signed>;

const DOMAIN_TYPE = structMembers(ORDER_DOMAIN_STRUCT);

const ORDER_TYPES = {
  order11: structMembers(ORDER_STRUCT_TYPES.order11),
  order12: structMembers(ORDER_STRUCT_TYPES.order12),
} as const;

export function signedOf(command: PlaceOrder, evidence: unknown): Signed | null {
  const content = signedContent(command, evidence);
  if (content === undefined) return null;
  const { domain, signature, signatureType, struct } = content;
  const members = ORDER_TYPES[struct];
  // Safe: the names are those of the struct that the content has.
  const values = content as unknown as Readonly<Record<string, string | number>>;
  return {
    signer: command.owner,
    signature,
    signature_type: signatureType,
    digest: command.orderId,
    typed_data: {
      types: { EIP712Domain: DOMAIN_TYPE, Order: members },
      primaryType: 'Order',
      domain: {
        name: domain.name,
        version: domain.version,
        chainId: domain.chainId,
        verifyingContract: domain.contract,
      },
      message: Object.fromEntries(members.map(({ name }) => [name, values[name] ?? ''])),
    },
  };
}
