import type { FleetRow } from '@/lib/model/fleet';

export function filterFleet(rows: FleetRow[], filter: { q: string; env: string; tag: string }): FleetRow[] {
  const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ instance: i }) => {
    if (filter.env !== '' && i.environment !== filter.env) return false;
    if (filter.tag !== '' && !i.tags.includes(filter.tag)) return false;
    const text = [i.name, i.environment, i.owner, i.topology, ...i.tags].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function noExpiryShare(row: FleetRow): number | null {
  const s = row.latest;
  return s && s.noExpiryKeys !== null && s.keys > 0 ? s.noExpiryKeys / s.keys : null;
}

const VALUES: Record<string, (row: FleetRow) => number | string | null> = {
  name: (r) => r.instance.name,
  topology: (r) => r.instance.topology,
  keys: (r) => r.latest?.keys ?? null,
  memory: (r) => r.latest?.bytes ?? null,
  score: (r) => r.score ?? null,
  mandatory: (r) => r.findings?.mandatory ?? null,
  bigkeys: (r) => r.latest?.bigkeys ?? null,
  noExpiry: noExpiryShare,
  lastScan: (r) => r.latest?.startedAt ?? null,
};

/** Unknown comes last in either direction: it is not the smallest number. */
export function sortFleet(rows: FleetRow[], sort: string): FleetRow[] {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const value = Object.hasOwn(VALUES, name) ? VALUES[name] : VALUES.name;
  if (!value) return rows;
  return rows.toSorted((a, b) => {
    const x = value(a);
    const y = value(b);
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order = typeof x === 'string' ? x.localeCompare(String(y), undefined, { numeric: true }) : x - Number(y);
    return down ? -order : order;
  });
}
