/** `inspect snapshot`: lists the snapshots, or checks one and lists its parts. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listSnapshots, openSnapshot, type SnapshotPlace } from '../snapshots/index.ts';
import { InspectError } from './inspect.ts';

/** The newest first. Throws InspectError if there is none. */
export function inspectSnapshots(dataDir: string) {
  const places = placesIn(dataDir);
  if (places.length === 0) throw new InspectError(`${dataDir} has no snapshot`);
  return places.map(listed);
}

/** Throws InspectError if there is none of `seq`, or StoreError if it is damaged. */
export function inspectSnapshot(dataDir: string, seq: number) {
  const places = placesIn(dataDir);
  const place = places.find((one) => one.seq === seq);
  if (place === undefined) {
    const there = places.map((one) => one.seq).join(', ') || 'none';
    throw new InspectError(`there is no snapshot of seq ${seq}. Snapshots: ${there}`);
  }
  const snapshot = openSnapshot(place.path);
  try {
    const parts = new Map<string, { name: string; count: number; bytes: number }>();
    for (const { name, bytes } of snapshot.parts()) {
      const sum = parts.get(name) ?? { name, count: 0, bytes: 0 };
      parts.set(name, { name, count: sum.count + 1, bytes: sum.bytes + bytes.length });
    }
    return { ...listed(place), head: snapshot.head, parts: [...parts.values()] };
  } finally {
    snapshot.close();
  }
}

function placesIn(dataDir: string): SnapshotPlace[] {
  if (!existsSync(dataDir)) throw new InspectError(`there is no folder ${dataDir}`);
  return listSnapshots(join(dataDir, 'snapshots'));
}

function listed({ seq, path }: SnapshotPlace) {
  return { seq, path, bytes: statSync(path).size };
}
