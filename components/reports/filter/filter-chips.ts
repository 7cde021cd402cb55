import type { KeyFilter } from '@/lib/model/filter';

const TEXTS = ['prefix', 'template', 'search', 'tag', 'owner'] as const;
const LISTS = ['type', 'encoding', 'db', 'node', 'rule', 'strength'] as const;
const FLAGS = ['exempt', 'big'] as const;
type Range = 'ttl' | 'bytes' | 'length' | 'nameBytes' | 'elementBytes' | 'idle' | 'freq' | 'slot';

/** One chip: the filter fields it removes, the message that names it, and its values before formatting. */
export interface Chip {
  /** `key`: a prefix or template that is the whole name of a key. */
  id: 'key' | 'expiry' | Range | (typeof TEXTS | typeof LISTS | typeof FLAGS)[number];
  fields: (keyof KeyFilter)[];
  kind: 'text' | 'list' | 'bytes' | 'seconds' | 'count' | 'slot' | 'expiry' | 'flag';
  text?: string;
  min?: number;
  max?: number;
}

/** Id of the chip, fields of its bounds, and how they are formatted. */
const RANGES: [Range, keyof KeyFilter, keyof KeyFilter, Chip['kind']][] = [
  ['ttl', 'ttlMin', 'ttlMax', 'seconds'],
  ['bytes', 'bytesMin', 'bytesMax', 'bytes'],
  ['length', 'lengthMin', 'lengthMax', 'count'],
  ['nameBytes', 'nameBytesMin', 'nameBytesMax', 'bytes'],
  ['elementBytes', 'elementBytesMin', 'elementBytesMax', 'bytes'],
  ['idle', 'idleMin', 'idleMax', 'seconds'],
  ['freq', 'freqMin', 'freqMax', 'count'],
  ['slot', 'slotMin', 'slotMax', 'slot'],
];

export function buildFilterChips(filter: KeyFilter): Chip[] {
  const chips: Chip[] = [];
  for (const id of TEXTS) {
    if (!filter[id]) continue;
    const path = id === 'template' || (id === 'prefix' && !filter.template);
    if (filter.exact && path) chips.push({ id: 'key', fields: [id, 'exact'], kind: 'text', text: filter[id] });
    else chips.push({ id, fields: [id], kind: 'text', text: filter[id] });
  }
  for (const id of LISTS) {
    if (filter[id]?.length) chips.push({ id, fields: [id], kind: 'list', text: filter[id].join(', ') });
  }
  if (filter.expiry) chips.push({ id: 'expiry', fields: ['expiry'], kind: 'expiry', text: filter.expiry });
  for (const [id, low, high, kind] of RANGES) {
    const [min, max] = [filter[low] as number | undefined, filter[high] as number | undefined];
    if (min !== undefined || max !== undefined) chips.push({ id, fields: [low, high], kind, min, max });
  }
  for (const id of FLAGS) if (filter[id]) chips.push({ id, fields: [id], kind: 'flag' });
  return chips;
}
