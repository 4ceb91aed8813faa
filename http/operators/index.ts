/**
 * Who may use the operator's listener: names, tokens and roles, and requests that wait for a second
 * operator.
 *
 * Invariant: of a token only its SHA-256 is kept. A correct token is admitted whatever others sent.
 * Bound: 100 operators with 4 tokens each, `HTTP_BOUNDS.waitingApprovals`.
 */
export {
  type Approval,
  type ApprovalDesk,
  Approvals,
  type Asking,
  type Waiting,
} from './approvals.ts';
export { type Operator, OperatorGate, type OperatorList, oneOperator } from './operator-gate.ts';
export { parseOperators } from './operators-file.ts';
export { OPERATOR_ROLES, type OperatorRole, ROLE_TEXTS } from './roles.ts';
