import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';

/** The change of a figure since the previous snapshot. Renders nothing if either is unknown. */
export function SinceBefore(props: {
  now: number | null;
  then: number | null | undefined;
  at: number | undefined;
  as: 'number' | 'bytes';
}) {
  const t = useTranslations('overview.stat');
  const f = useFormat();
  const { now, then, at } = props;
  if (now === null || then === null || then === undefined || at === undefined) return null;
  const size = f[props.as](Math.abs(now - then));
  const change = now === then ? '±0' : now > then ? `+${size}` : `−${size}`;
  return (
    <span className="block" title={t('sinceHint', { before: f[props.as](then) })}>
      {t('since', { change, time: f.dateTime(at) })}
    </span>
  );
}
