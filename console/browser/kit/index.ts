/**
 * What all pages are made of: the frame, tables, forms, states of what is fetched, amounts, times,
 * ids, and the place within the page.
 *
 * Invariant: every control has a name, can be reached by keyboard, and shows texts as text.
 */
export { Action } from './action.tsx';
export { CopyButton, Id, shortened } from './copy.tsx';
export {
  cents,
  DECIMALS,
  decimalText,
  grouped,
  parseDecimal,
  short,
  shortCash,
  shown,
  sizeText,
} from './decimal.ts';
export { Dialog } from './dialog.tsx';
export { Check, Choice, Field, Segments, TextArea } from './field.tsx';
export { Freshness, LiveBadge } from './freshness.tsx';
export { labelOf } from './label.ts';
export { lazy } from './lazy.tsx';
export { Empty, Failure, Loaded, Skeleton } from './loaded.tsx';
export { Page, useTitle } from './page.tsx';
export { Picture, pictureOf } from './picture.tsx';
export { axisOf, type ColorOf, Plot, type PlotOptions, stepsTo, timeTexts } from './plot.tsx';
export { prettyJson, RawText } from './raw-text.tsx';
export { type Loading, type Resource, useAnswer, useResource } from './resource.ts';
export { goTo, linkTo, place, replaceQuery } from './router.ts';
export { SideText } from './side-text.tsx';
export { type ColumnTerms, Table } from './table.tsx';
export { Tabs } from './tabs.tsx';
export { fromNow, LocalTime, localTime, Moment } from './time.tsx';
export { toast } from './toast.tsx';
export { ToolsHead } from './tools-head.tsx';
