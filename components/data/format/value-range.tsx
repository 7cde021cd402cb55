import type { EstimateRange } from '@/lib/model/deletions/deletion-plan';
import { useFormat } from './use-format';
import { Value, type ValueKind } from './value';

/** A range of two values, each with its unit; one value if both are written the same. null: unknown. */
export function ValueRange({ range, as }: { range: EstimateRange | null; as: ValueKind }) {
  const f = useFormat();
  if (range === null) return <Value value={null} as={as} />;
  const [from, to] = [f[as](range.from), f[as](range.to)];
  return <span className="whitespace-nowrap">{from === to ? to : `${from} – ${to}`}</span>;
}
