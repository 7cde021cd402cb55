'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Alert } from '@/components/ui/alert';
import type { WaitReason } from '@/lib/model/job';

/** Why a job stands still, in words, with the numbers the server side gave. */
export function WaitReasonAlert({ reason }: { reason: WaitReason }) {
  const t = useTranslations('reasons');
  const tl = useTranslations('scans.live');
  const f = useFormat();
  const params = Object.entries(reason.params).filter(([, value]) => value !== '');
  return (
    <Alert
      tone="warning"
      title={
        <>
          {t(`${reason.code}.title`)}
          <span className="num ml-2 font-normal text-muted-foreground text-xs">
            {tl('since', { time: f.time(reason.since) })}
          </span>
        </>
      }
    >
      <p>{t(`${reason.code}.text`)}</p>
      {params.length > 0 ? (
        <p className="num mt-0.5 flex flex-wrap gap-x-3 font-mono text-muted-foreground text-xs">
          {params.map(([name, value]) => (
            <span key={name}>
              {name}={typeof value === 'number' ? f.decimal(value, Number.isInteger(value) ? 0 : 1) : value}
            </span>
          ))}
        </p>
      ) : null}
    </Alert>
  );
}
