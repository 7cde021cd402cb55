import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';

/** How long the plan has been in preparation, shown after the first second. */
export function PlanWait() {
  const t = useTranslations('deletions.new');
  const f = useFormat();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="mr-auto min-w-0 text-muted-foreground text-xs">
      <span role="status">{seconds > 0 ? t('creating') : null}</span>{' '}
      {seconds > 0 ? <span className="num">{f.seconds(seconds)}</span> : null}
    </p>
  );
}
