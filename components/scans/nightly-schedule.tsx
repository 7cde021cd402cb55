import { CalendarClock } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useScheduleActs } from '@/components/data/queries/use-schedules';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/forms/input';
import { Label } from '@/components/ui/forms/label';
import { Link } from '@/components/ui/link';
import type { Instance } from '@/lib/model/servers/instance';
import type { ScanOptions } from '@/lib/model/snapshots/scan';

/** Saves the scan of the dialog as a schedule: every night at a time, in the time zone of the browser. */
export function NightlySchedule({ instance, options }: { instance: Instance; options: ScanOptions }) {
  const t = useTranslations('schedules.nightly');
  const { add } = useScheduleActs();
  const id = useId();
  const [time, setTime] = useState('03:10');
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [hour, minute] = time.split(':').map(Number);
  const save = () =>
    add.mutate({
      name: t('name', { name: instance.name }).slice(0, 80),
      cron: `${minute} ${hour} * * *`,
      zone,
      targets: { by: 'instances', ids: [instance.id] },
      options,
    });
  return (
    <fieldset className="rounded-lg border p-3">
      <legend className="px-1 font-medium text-sm">{t('title')}</legend>
      {add.data ? (
        <p className="text-sm" role="status">
          {t('saved', { time, zone })} ·{' '}
          <Link href="/schedules" className="text-accent hover:underline">
            {t('all')}
          </Link>
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Label htmlFor={id}>{t('at')}</Label>
          <Input
            id={id}
            type="time"
            required
            className="w-32"
            value={time}
            onChange={({ target }) => target.value !== '' && setTime(target.value)}
          />
          <span className="text-muted-foreground text-xs">{zone}</span>
          <Button className="ml-auto" busy={add.isPending} onClick={save}>
            <CalendarClock aria-hidden />
            {t('save')}
          </Button>
        </div>
      )}
      <ErrorAlert error={add.error} />
    </fieldset>
  );
}
