import { useQuery } from '@tanstack/react-query';
import { queryApi } from '@/components/data/query-api';
import type { Measure } from '@/lib/model/snapshots/trends';
import { type DeltaFormat, DeltaText } from './delta-text';

/** What changed: a total of the keyspace, the keys with findings of a rule, or a figure of a team ('' = nobody). */
type Subject = { measure: Measure; team?: string | undefined } | { rule: string };

/** The change of a figure of a snapshot since the scan before. Renders nothing if it is unknown. */
export function SnapshotDelta(props: { snapshotId: string; of: Subject; as: DeltaFormat; spelled?: boolean }) {
  const { of } = props;
  const { data } = useQuery(queryApi('GET /api/snapshots/{id}/deltas', { id: props.snapshotId }));
  if (!data || data.since === null) return null;
  const change =
    'rule' in of ? data.rules[of.rule] : (of.team === undefined ? data.total : data.teams[of.team])?.[of.measure];
  if (change === undefined) return null;
  return <DeltaText change={change} since={data.since} as={props.as} spelled={props.spelled} />;
}
