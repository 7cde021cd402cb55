import { atPlaceSql } from '@/lib/snapshots/query/columns';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Each name is read from a row group of its own, which is in memory meanwhile. */
const AT_ONCE = 16;

/** Reads names by their places in the sealed files; there should be few. */
export async function readNamesAt(
  { dir, manifest, query }: Source,
  places: readonly number[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  const different = [...new Set(places)];
  for (let from = 0; from < different.length; from += AT_ONCE) {
    const some = different.slice(from, from + AT_ONCE);
    const rows = await query<{ place: number; name: string }>(
      some.map((place) => atPlaceSql(dir, manifest, place, 'name')).join(' UNION ALL '),
    );
    for (const { place, name } of rows) names.set(place, name);
  }
  return names;
}
