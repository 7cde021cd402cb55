import type { FleetRow } from './fleet';

/** Decides which rows the page lists. '' = no restriction. */
interface FleetFilter {
  q: string;
  env: string;
  tag: string;
}

/** Properties by which rows can be grouped. */
export const FLEET_GROUPS = ['none', 'environment', 'owner'] as const;
export type FleetGroup = (typeof FLEET_GROUPS)[number];

export function filterFleet(rows: FleetRow[], filter: FleetFilter): FleetRow[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ instance: i }) => {
    if (filter.env !== '' && i.environment !== filter.env) return false;
    if (filter.tag !== '' && !i.tags.includes(filter.tag)) return false;
    const text = [i.name, i.environment, i.owner, i.topology, ...i.tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function computeNoExpiryShare(row: FleetRow): number | null {
  const s = row.latest;
  return s && s.noExpiryKeys !== null && s.keys > 0 ? s.noExpiryKeys / s.keys : null;
}
