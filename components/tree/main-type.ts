import type { TreeNode } from '@/lib/model/reports/reports';

/** The type with the most keys, or with the most memory; `unknown` if no type could be read. */
export function mainType({ types, heaviestType }: TreeNode, measure: 'keys' | 'bytes'): string {
  if (measure === 'bytes' && heaviestType !== null) return heaviestType;
  let best = 'unknown';
  let max = 0;
  for (const [type, keys] of Object.entries(types)) if (keys > max) [best, max] = [type, keys];
  return best;
}
