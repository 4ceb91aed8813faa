/**
 * What all pages are made of: the frame, tables, forms, states of what is fetched, amounts, times,
 * ids, and the place within the page.
 *
 * Invariant: every control has a name, can be reached by keyboard, and shows texts as text.
 */
export { Action } from './action.tsx';
export { Day, fromNow, localTime, Moment, Picture, pictureOf, SideText } from './cells.tsx';
export { CopyButton, Id, shortened } from './copy.tsx';
export { Fact, Facts, Figure } from './facts.tsx';
export { Check, Choice, Field, Segments, TextArea } from './field.tsx';
export { Freshness, LiveBadge } from './freshness.tsx';
export { Empty, Failure, Loaded, lazy, messageOf, Skeleton } from './loaded.tsx';
export { type Area, Page, ToolsHead, useTitle } from './page.tsx';
export { axisOf, type ColorOf, Plot, type PlotOptions, stepsTo, timeTexts } from './plot.tsx';
export { prettyJson, RawText } from './raw-text.tsx';
export {
  type Loading,
  type Resource,
  set,
  setter,
  useAnswer,
  useResource,
} from './resource.ts';
export { goTo, linkTo, place, replaceQuery } from './router.ts';
export { type ColumnTerms, Table } from './table.tsx';
export { Tabs } from './tabs.tsx';
export {
  cents,
  DECIMALS,
  decimalText,
  grouped,
  labelOf,
  parseDecimal,
  short,
  shortCash,
  shown,
  sizeText,
} from './texts.ts';
export { Dialog, toast } from './toast.tsx';
