import { atPlaceSql } from '@/lib/snapshots/query/columns';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Names by their places in the sealed files; few, each is read of its own row group. */
export async function namesAt(
  { dir, manifest, query }: Source,
  places: readonly number[],
): Promise<Map<number, string>> {
  if (places.length === 0) return new Map();
  const rows = await query<{ place: number; name: string }>(
    [...new Set(places)].map((place) => atPlaceSql(dir, manifest, place, 'name')).join(' UNION ALL '),
  );
  return new Map(rows.map(({ place, name }) => [place, name]));
}
