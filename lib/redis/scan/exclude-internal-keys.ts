import type { FactsPage } from '@/lib/model/snapshots/facts-page';
import { isInternalKey } from '@/lib/redis/keys/internal-key-name';

/** The first byte of internal names. */
const LETTER_C = 0x63;

/**
 * Removes Colonnade's internal keys from a page: tombstones and keys being restored are not keys of the application.
 * The first byte decides for nearly every name, because this runs once per key of a scan. Returns how many were
 * removed.
 */
export function excludeInternalKeys(page: FactsPage): number {
  const { count } = page;
  let kept = 0;
  let long: FactsPage['long'] = page.long;
  const columns = Object.values(page).filter((column): column is Float64Array => ArrayBuffer.isView(column));
  for (let index = 0; index < page.count; index++) {
    const name = page.names[index];
    if (name && name[0] === LETTER_C && isInternalKey(name)) {
      // At the first internal key of the page: from here on indexes shift, including those of long names.
      if (long === page.long && page.long) long = new Map([...page.long].filter(([at]) => at < index));
      continue;
    }
    if (kept !== index) {
      page.names[kept] = name as Buffer;
      page.types[kept] = page.types[index] ?? null;
      page.encodings[kept] = page.encodings[index] ?? null;
      for (const column of columns) column[kept] = column[index] as number;
      const facts = page.long?.get(index);
      if (facts) long?.set(kept, facts);
    }
    kept++;
  }
  page.long = long;
  page.count = kept;
  return count - kept;
}
