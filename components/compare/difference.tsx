import { useFormat } from '@/components/data/format/use-format';
import { NotInFile, Value } from '@/components/data/format/value';

/** What a figure gained or lost, with its sign. A difference to an unknown figure is unknown. */
export function Difference(props: {
  now: number | null | undefined;
  before: number | null | undefined;
  as: 'number' | 'bytes';
  /** More of it is bad (findings, keys without expiry); else neither direction is coloured. */
  bad?: boolean;
}) {
  const f = useFormat();
  const { now, before, as } = props;
  if (now === null || now === undefined || before === null || before === undefined)
    return <Value value={null} as={as} />;
  const difference = now - before;
  const tone = !props.bad || difference === 0 ? '' : difference > 0 ? 'text-danger' : 'text-success';
  const sign = difference === 0 ? '±' : difference > 0 ? '+' : '−';
  return (
    <span className={difference === 0 ? 'text-muted-foreground' : tone} title={`${f[as](before)} → ${f[as](now)}`}>
      <NotInFile>{sign}</NotInFile>
      <Value value={Math.abs(difference)} as={as} />
    </span>
  );
}
