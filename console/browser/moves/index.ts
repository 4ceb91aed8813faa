/**
 * Moves between cash and tokens: forms that split, merge and convert, and what sends a move.
 *
 * Invariant: a move is done once, also when it is sent again after its answer was lost. Amounts are
 * whole numbers; the exchange judges them, and its refusal stands beside the field.
 */
export { ConvertDialog } from './convert-dialog.tsx';
export { MergeDialog } from './merge-dialog.tsx';
export { cashOf, type Move, useMove } from './moves.ts';
export { SplitDialog } from './split-dialog.tsx';
