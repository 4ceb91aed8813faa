// docs/rooms.md: every room with what its head says.
import { readFileSync } from 'node:fs';
import { ROOMS } from '../../.dependency-cruiser.mjs';

const ROOT = new URL('../../', import.meta.url);

const INTRODUCTION = `# Rooms

A room is a folder of sources with one concept and one public face, its \`index.ts\`. This page has
what each is and what always holds in it, from the head of that file. A room imports only rooms that
stand above it here. \`npm run documents\` writes this page.`;

/** The paragraphs of the comment at the head of a file, each in one line. */
function paragraphsOf(source: string): readonly string[] {
  const [, head = ''] = /^\/\*\*\n?([\s\S]*?)\*\//.exec(source) ?? [];
  const lines = head.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  return lines
    .join('\n')
    .trim()
    .split('\n\n')
    .map((paragraph) => paragraph.replaceAll('\n', ' '));
}

/** The first paragraph of a room's head, and its invariant. */
export function roomText(source: string): string {
  const [first = '', ...others] = paragraphsOf(source);
  if (first === '') throw new Error('the index.ts of the room has no head');
  const invariants = others.filter((paragraph) => paragraph.startsWith('Invariant'));
  // A colon leads to a list, which this page leaves out.
  return [first.replace(/:$/, '.'), ...invariants].join(' ');
}

export function roomsText(): string {
  const plots = [...Map.groupBy(ROOMS, (room) => room.split('/')[0] ?? '')];
  const sections = plots.map(([plot, rooms]) => {
    const parts = rooms.map((room) => {
      const source = readFileSync(new URL(`${room}/index.ts`, ROOT), 'utf8');
      return `- \`${room}\`: ${roomText(source)}`;
    });
    return `## ${plot}/\n\n${parts.join('\n')}`;
  });
  return `${[INTRODUCTION, ...sections].join('\n\n')}\n`;
}
