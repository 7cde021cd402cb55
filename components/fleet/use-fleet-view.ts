import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { FLEET_GROUPS, filterFleet } from '@/lib/model/reports/fleet-filter';

/** The filter and order of the fleet, kept in the URL so that a view can be shared. */
export function useFleetView(all: FleetRow[]) {
  const [state, set] = useQueryStates({
    q: parseAsString.withDefault(''),
    env: parseAsString.withDefault(''),
    tag: parseAsString.withDefault(''),
    group: parseAsStringLiteral(FLEET_GROUPS).withDefault('none'),
    sort: parseAsString.withDefault('name'),
  });
  return {
    ...state,
    rows: filterFleet(all, state),
    set,
    setSort: (sort: string) => void set({ sort: sort === '' ? null : sort }),
    clear: () => void set({ q: null, env: null, tag: null }),
  };
}
export type FleetView = ReturnType<typeof useFleetView>;
