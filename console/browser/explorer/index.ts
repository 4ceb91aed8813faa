/**
 * The explorer: any command, order, trade, account and market of the journal, with what was signed,
 * and links between them. It checks signatures and receipts again in the page.
 *
 * Invariant: what the exchange says is never shown as checked before the page has computed it.
 */
export { ExplorerPage, OperatorExplorerPage } from './explorer-page.tsx';
