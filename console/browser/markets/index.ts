/** Lists of markets and events: search, categories, sorting, and the page of one event. */
export { EventPage } from './event-page.tsx';
export { MarketsPage } from './markets-page.tsx';
