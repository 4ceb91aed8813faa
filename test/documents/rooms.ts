// docs/rooms.md: every room with what its head says.
import { readFileSync } from 'node:fs';
import { ROOMS } from '../../.dependency-cruiser.mjs';

const ROOT = new URL('../../', import.meta.url);

const INTRODUCTION = `# Rooms

A room is a folder of sources with one concept and one public face, its \`index.ts\`, whose head says
what it is, what always holds in it, and its bounds; this page has its first sentence. A room imports
only rooms that stand above it here. \`npm run documents\` writes this page.`;

/** The first sentence of a room's head. */
export function roomText(source: string): string {
  const [, head = ''] = /^\/\*\*\n?([\s\S]*?)\*\//.exec(source) ?? [];
  const lines = head.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  const [paragraph = ''] = lines.join('\n').trim().split('\n\n');
  if (paragraph === '') throw new Error('the index.ts of the room has no head');
  const [sentence = ''] = paragraph.replaceAll('\n', ' ').split(/(?<=\.) (?=[A-Z`])/);
  // A colon leads to a list, which this page leaves out.
  return sentence.replace(/:$/, '.');
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
