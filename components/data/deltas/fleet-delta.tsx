import { useQuery } from '@tanstack/react-query';
import { queryApi } from '@/components/data/query-api';
import type { Measure } from '@/lib/model/snapshots/trends';
import { type DeltaFormat, DeltaText } from './delta-text';

/** The sum of the known changes of some instances since the scan before. Renders nothing if none is known. */
export function FleetDelta(props: { instanceIds: readonly string[]; measure: Measure; as: DeltaFormat }) {
  const { data } = useQuery(queryApi('GET /api/trends/deltas', {}));
  const changes = props.instanceIds.flatMap((id) => data?.[id]?.total[props.measure] ?? []);
  if (changes.length === 0) return null;
  return <DeltaText change={changes.reduce((sum, change) => sum + change, 0)} since={null} as={props.as} />;
}
