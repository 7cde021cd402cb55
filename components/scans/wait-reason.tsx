import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '@/components/data/format/use-format';
import { usePersonName } from '@/components/data/format/use-person-name';
import { Alert } from '@/components/ui/alert';
import type { WaitReason } from '@/lib/model/job';

/** Says why a job waits, with the measured values. */
export function WaitReasonAlert({ reason }: { reason: WaitReason }) {
  const t = useTranslations('reasons');
  const f = useFormat();
  const personName = usePersonName();
  const { address, by } = reason.params;
  const pausedBy = reason.code === 'operator' && by ? personName(String(by)) : null;
  const text = `${reason.code}.text` as const;
  // Values that the sentence contains are not repeated below it.
  const sentence = JSON.stringify(t.raw(text));
  const measured = Object.entries(reason.params)
    .filter(([name, value]) => value !== '' && name !== 'address' && !hasPlaceholder(sentence, name))
    .filter(([name]) => name !== 'by' || pausedBy === null)
    .map(([name, value]) => {
      if (name === 'job') return t('heldBy', { job: String(value) });
      if (name === 'by') return t('by', { name: personName(String(value)) });
      if (name === 'restarts') return t('restarts', { count: Number(value) });
      return typeof value === 'number' ? formatMeasured(name, value, f) : value;
    });
  const values = measured.join(' · ');
  const place = address && !hasPlaceholder(sentence, 'address') ? String(address) : null;
  const line = place === null ? values : values === '' ? place : t('measuredOn', { values, address: place });
  return (
    <Alert
      tone="warning"
      title={
        <>
          {pausedBy === null ? t(`${reason.code}.title`) : t('pausedBy', { name: pausedBy })}
          <span className="num ml-2 font-normal text-muted-foreground text-xs">
            {t('since', { time: f.dateTime(reason.since) })}
          </span>
        </>
      }
    >
      <p>{t(text, reason.params)}</p>
      {line === '' ? null : <p className="mt-0.5 font-mono text-muted-foreground text-xs">{line}</p>}
    </Alert>
  );
}

/**
 * Whether the sentence has a placeholder of this name: `{name` in the source, `"name"` in messages that the server has
 * compiled (messages/message-file.ts).
 */
const hasPlaceholder = (sentence: string, name: string) => new RegExp(`[{"]${name}\\b`).test(sentence);

/** A number with its unit, which the name of the param contains. */
function formatMeasured(name: string, value: number, f: Format): string {
  if (name === 'ms') return f.ms(value);
  if (name === 'bytes') return f.bytes(value);
  if (name === 'seconds') return f.seconds(value);
  if (name === 'percent') return f.share(value / 100);
  if (name === 'perSecond') return f.rate(value);
  if (name.endsWith('Ms')) return `${name.slice(0, -2)} ${f.ms(value)}`;
  return `${name} ${f.number(value)}`;
}
