/**
 * CHANGELOG.md by the conventions of https://keepachangelog.com/en/1.1.0/: first what is not
 * released, then each version with its date, newest first; in each the six kinds of changes.
 */

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const UNRELEASED = '[Unreleased]';
const RELEASE = /^\[(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)\] - (\d{4}-\d{2}-\d{2})$/;

/** The headings of level 2, with the text below each. */
function sectionsOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { title, body: lines.join('\n').trim() };
    });
}

/** What breaks the conventions, in sentences; empty if nothing does. */
export function changelogFaults(text) {
  const sections = sectionsOf(text);
  const titles = sections.map(({ title }) => title);
  const dates = titles.slice(1).map((title) => RELEASE.exec(title)?.[2]);
  const kinds = [...text.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind);
  return [
    ...(titles[0] === UNRELEASED ? [] : [`the first section is "${titles[0]}", not ${UNRELEASED}`]),
    ...titles
      .slice(1)
      .filter((title) => !RELEASE.test(title))
      .map((title) => `the section "${title}" is not "[VERSION] - YYYY-MM-DD"`),
    ...(dates.every((date, place) => place === 0 || dates[place - 1] >= date)
      ? []
      : ['the newest version must come first']),
    ...(new Set(titles).size === titles.length ? [] : ['a version has two sections']),
    ...kinds
      .filter((kind) => !KINDS.includes(kind))
      .map((kind) => `the kind "${kind}" is none of ${KINDS.join(', ')}`),
  ];
}

/** The notes of a version; undefined if it has no section, or an empty one. */
export function notesOf(text, version) {
  const wanted = (title) => RELEASE.exec(title)?.[1] === version;
  return sectionsOf(text).find(({ title, body }) => wanted(title) && body !== '')?.body;
}
