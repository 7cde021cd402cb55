import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { PlanButton } from '@/components/plans/plan-button';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import type { Selection } from '@/lib/model/deletions/plan-request';
import type { BigkeyRow } from '@/lib/model/reports/reports';

/**
 * How an element finds its part, how it is written and read there, and by which command the old key is copied. The
 * lines are pseudo-code around commands of Redis, so they are the same in every language.
 */
const WAYS: Record<string, { part: (buckets: number) => string; lines: string[]; copy: string }> = {
  hash: {
    part: (buckets) => `crc32(field) % ${buckets}`,
    lines: ['HSET part field value', 'HGET part field'],
    copy: 'HSCAN … COUNT 500',
  },
  set: {
    part: (buckets) => `crc32(member) % ${buckets}`,
    lines: ['SADD part member', 'SISMEMBER part member'],
    copy: 'SSCAN … COUNT 500',
  },
  list: { part: () => 'day', lines: ['RPUSH part value', 'LRANGE part 0 99'], copy: 'LRANGE … 0 499' },
  zset: {
    part: () => 'floor(score / range)',
    lines: ['ZADD part score member', 'ZRANGE part 0 99'],
    copy: 'ZSCAN … COUNT 500',
  },
  string: { part: () => 'n', lines: ['SET part bytes', 'GET part'], copy: 'GETRANGE … 0 65535' },
};

/** Advice for one bigkey: into how many keys, what their names are, and how the application moves to them. */
export function SplitDialog(props: {
  instanceId: string;
  row: BigkeyRow;
  /** The deletion of the old key; null: its name was too long to keep. */
  selection: Selection | null;
  onClose: () => void;
}) {
  const t = useTranslations('bigkeys');
  const f = useFormat();
  const { row } = props;
  const { split } = row;
  const way = WAYS[row.type ?? ''];
  if (!split || !way) return null;
  const { buckets } = split;
  const each =
    row.type === 'string'
      ? t('split.eachBytes', { bytes: f.bytes((row.length ?? row.bytes ?? 0) / buckets) })
      : t('split.eachElements', { count: Math.ceil((row.length ?? 0) / buckets) });
  const numbers = [...new Set([0, 1, buckets - 1])];
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent
        title={t('split.title', { count: buckets })}
        description={t(`splitHint.${split.of}`, {
          times: f.number(Math.round(split.times)),
          buckets: f.number(buckets),
        })}
        className="max-w-xl"
        footer={
          <>
            <DialogClose asChild>
              <Button>{t('split.close')}</Button>
            </DialogClose>
            <PlanButton instanceId={props.instanceId} selection={props.selection} size="md" onMade={props.onClose}>
              {t('split.plan')}
            </PlanButton>
          </>
        }
      >
        <div className="space-y-4">
          <section className="space-y-1.5">
            <h3 className="font-medium">{t('split.parts')}</h3>
            <ul className="space-y-1 rounded-md border bg-background p-3 text-xs">
              {numbers.map((number, i) => (
                <li key={number}>
                  {i === 2 && buckets > 3 ? <p aria-hidden>…</p> : null}
                  <KeyName name={`${row.name}:${number}`} max={200} wrap />
                </li>
              ))}
            </ul>
            <p className="num text-muted-foreground text-xs">{each}</p>
          </section>
          <section className="space-y-1.5">
            <h3 className="font-medium">{t('split.use')}</h3>
            <pre className="overflow-x-auto rounded-md border bg-background p-3 font-mono text-xs leading-5">
              {[`part = name + ":" + ${way.part(buckets)}`, ...way.lines].join('\n')}
            </pre>
          </section>
          <section className="space-y-1.5">
            <h3 className="font-medium">{t('split.steps')}</h3>
            <ol className="list-decimal space-y-1 pl-5">
              <li>{t('split.step.write')}</li>
              <li>
                {t.rich('split.step.copy', { command: () => <code className="font-mono text-xs">{way.copy}</code> })}
              </li>
              <li>{t('split.step.read')}</li>
              <li>{t('split.step.delete')}</li>
            </ol>
          </section>
        </div>
      </DialogContent>
    </Dialog>
  );
}
