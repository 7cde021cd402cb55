import { Plus, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { ScheduleWindow } from '@/lib/model/schedules/schedule';
import { DayBoxes } from './day-boxes';
import type { FormPart } from './schedule-form';

const NIGHT: ScheduleWindow = { days: [1, 2, 3, 4, 5, 6, 7], from: '01:00', to: '06:00' };
const ENDS = ['pause', 'finish', 'cancel'] as const;

/** When scans may begin: windows, what happens at their end, and days without scans. */
export function WindowFields({ form, onChange }: FormPart) {
  const t = useTranslations('schedules.form');
  const { windows, blackout } = form;
  const setWindow = (index: number, patch: Partial<ScheduleWindow>) =>
    onChange({ windows: windows.map((one, i) => (i === index ? { ...one, ...patch } : one)) });
  const setBlackout = (index: number, patch: Partial<(typeof blackout)[number]>) =>
    onChange({ blackout: blackout.map((one, i) => (i === index ? { ...one, ...patch } : one)) });
  const today = () => new Date().toISOString().slice(0, 10);
  return (
    <>
      <fieldset className="space-y-2">
        <legend className="font-medium text-sm">{t('windows')}</legend>
        <p className="text-muted-foreground text-xs">{t('windowsHint')}</p>
        {windows.map((window, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: windows have no identity
          <div key={i} className="space-y-2 rounded-md border p-2.5">
            <div className="flex items-end gap-2">
              <Field label={t('opens')} className="flex-1">
                <Input
                  type="time"
                  required
                  value={window.from}
                  onChange={(e) => setWindow(i, { from: e.target.value })}
                />
              </Field>
              <Field label={t('closes')} className="flex-1">
                <Input type="time" required value={window.to} onChange={(e) => setWindow(i, { to: e.target.value })} />
              </Field>
              <Button
                size="icon"
                variant="ghost"
                aria-label={t('removeWindow', { number: i + 1 })}
                onClick={() => onChange({ windows: windows.filter((_, other) => other !== i) })}
              >
                <X aria-hidden />
              </Button>
            </div>
            <DayBoxes
              label={t('days')}
              days={window.days}
              onChange={(days) => days.length > 0 && setWindow(i, { days })}
            />
          </div>
        ))}
        <Button size="sm" onClick={() => onChange({ windows: [...windows, NIGHT] })}>
          <Plus aria-hidden />
          {t('addWindow')}
        </Button>
      </fieldset>
      {windows.length > 0 || blackout.length > 0 ? (
        <Field label={t('onWindowEnd')}>
          <Select
            value={form.onWindowEnd}
            onValueChange={(onWindowEnd) => onChange({ onWindowEnd })}
            options={ENDS.map((value) => ({ value, label: t(`end.${value}`) }))}
          />
        </Field>
      ) : null}
      <fieldset className="space-y-2">
        <legend className="font-medium text-sm">{t('blackout')}</legend>
        <p className="text-muted-foreground text-xs">{t('blackoutHint')}</p>
        {blackout.map((days, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blackouts have no identity
          <div key={i} className="flex items-end gap-2">
            <Field label={t('firstDay')} className="flex-1">
              <Input
                type="date"
                required
                value={days.from}
                onChange={(e) => setBlackout(i, { from: e.target.value })}
              />
            </Field>
            <Field label={t('lastDay')} className="flex-1">
              <Input type="date" required value={days.to} onChange={(e) => setBlackout(i, { to: e.target.value })} />
            </Field>
            <Button
              size="icon"
              variant="ghost"
              aria-label={t('removeBlackout', { number: i + 1 })}
              onClick={() => onChange({ blackout: blackout.filter((_, other) => other !== i) })}
            >
              <X aria-hidden />
            </Button>
          </div>
        ))}
        <Button size="sm" onClick={() => onChange({ blackout: [...blackout, { from: today(), to: today() }] })}>
          <Plus aria-hidden />
          {t('addBlackout')}
        </Button>
      </fieldset>
    </>
  );
}
