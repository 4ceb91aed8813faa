/** Searches the documents: search.json, with a row for each section, is read at the first key. */

const SHOWN = 20;
const BEFORE = 60;
const AFTER = 140;

const box = document.getElementById('search');
const found = document.getElementById('found');
let sections;

async function readSections() {
  const rows = await (await fetch('search.json')).json();
  return rows.map(([page, title, place, heading, text]) => {
    const parts = [heading, title, text].map((part) => part.toLowerCase());
    return { page, title, place, heading, text, parts };
  });
}

/** 0 unless all words are there; a word of a heading counts more than one of the text. */
function scoreOf({ parts }, words) {
  const scores = words.map((word) => {
    const [heading, title, text] = parts.map((part) => part.includes(word));
    return (heading ? 8 : 0) + (title ? 4 : 0) + (text ? 1 : 0);
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

function rowOf({ page, title, place, heading, text, parts }, [word]) {
  const link = document.createElement('a');
  link.href = `${page}#${place}`;
  link.textContent = heading === title ? title : `${title}: ${heading}`;
  const at = Math.max(0, parts[2].indexOf(word));
  const row = document.createElement('li');
  row.append(link, ` ${text.slice(Math.max(0, at - BEFORE), at + AFTER)}`);
  return row;
}

async function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  sections ??= readSections();
  const scored = (await sections).map((section) => [scoreOf(section, words), section]);
  const best = scored.filter(([score]) => score > 0).sort(([one], [other]) => other - one);
  found.replaceChildren(...best.slice(0, SHOWN).map(([, section]) => rowOf(section, words)));
  if (best.length === 0 && words.length > 0) found.textContent = 'No document has all these words.';
}

box.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === box) return;
  event.preventDefault();
  box.focus();
});
