import { Play } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useInstance, useServerReport } from '@/components/data/queries/use-instances';
import { useStartScan } from '@/components/data/queries/use-jobs';
import { ReasonField } from '@/components/data/values/reason-field';
import { getRememberedReason } from '@/components/data/values/remembered-reason';
import { Button } from '@/components/ui/button';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Label } from '@/components/ui/forms/label';
import { Select } from '@/components/ui/forms/select';
import { Switch } from '@/components/ui/forms/switch';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import { toast } from '@/components/ui/overlays/toast';
import { isValueReason } from '@/lib/model/is-value-reason';
import type { Speed } from '@/lib/model/job';
import type { Instance } from '@/lib/model/servers/instance';
import { getProtectionMarks } from '@/lib/model/servers/protection-marks';
import type { ScanOptions, ScanTarget } from '@/lib/model/snapshots/scan';
import { NightlySchedule } from './nightly-schedule';
import { ScanHazards } from './scan-hazards';

const SPEEDS: readonly Speed[] = ['gentle', 'balanced', 'fast'];
const TARGETS: readonly ScanTarget[] = ['auto', 'replica', 'primary'];
/** The number of small strings whose beginning is read. The hint of the switch mentions it. */
const SAMPLED_VALUES = 2000;
const FACTS = ['full', 'basic', 'counts'] as const;

/** Chooses how an instance is scanned, and starts the scan. */
export function ScanDialog({ instance, onClose }: { instance: Instance; onClose: () => void }) {
  const t = useTranslations('scans');
  const ui = useTranslations('ui');
  const reading = useTranslations('keys.values');
  const start = useStartScan(instance.id);
  const [speed, setSpeed] = useState<Speed>('gentle');
  const [target, setTarget] = useState<ScanTarget>('auto');
  const [facts, setFacts] = useState<(typeof FACTS)[number]>('full');
  const [values, setValues] = useState(false);
  const [reason, setReason] = useState(() => getRememberedReason(instance.id));
  // The instance of a list has no marks that it gets from other instances of the same server, so it is read on its own.
  const { valuesForbidden, production } = getProtectionMarks(useInstance(instance.id).data ?? instance);
  const needsReason = values && production;
  const [match, setMatch] = useState('');
  const touches = useServerReport(instance.id).data?.capabilities.some(
    ({ lost, status }) => lost === 'no_touch' && status !== 'allowed',
  );
  const resetsIdle = touches && facts !== 'basic' && target !== 'replica';
  const options: ScanOptions = {
    speed,
    target,
    facts: facts === 'basic' ? 'basic' : 'full',
    counts: facts === 'counts' ? 'all' : 'large',
    values: values ? SAMPLED_VALUES : 0,
    valuesReason: needsReason ? reason.trim() : null,
    databases: null,
    match: match === '' ? null : match,
  };
  const submit = () =>
    start.mutate(options, {
      onSuccess: () => {
        toast.success(t('started', { name: instance.name }));
        onClose();
      },
    });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('dialog.title', { name: instance.name })}
        description={t('dialog.description')}
        className="max-w-xl"
        footer={
          <>
            <DialogClose asChild>
              <Button>{ui('cancel')}</Button>
            </DialogClose>
            <Button
              variant="primary"
              busy={start.isPending}
              disabled={needsReason && !isValueReason(reason)}
              onClick={submit}
            >
              {start.isPending ? null : <Play aria-hidden />}
              {t('dialog.start')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          <div className="space-y-1.5">
            <ChoiceCards
              label={t('dialog.speed')}
              value={speed}
              onValueChange={setSpeed}
              options={SPEEDS.map((value) => ({
                value,
                title: t(`speed.${value}.name`),
                note: t(`speed.${value}.numbers`),
                text: t(`speed.${value}.text`),
              }))}
            />
            <p className="text-muted-foreground text-xs">{t('speedNote')}</p>
          </div>
          <Field label={t('dialog.target')}>
            <Select
              value={target}
              onValueChange={setTarget}
              options={TARGETS.map((value) => ({ value, label: t(`target.${value}`) }))}
            />
          </Field>
          <Field label={t('dialog.facts')} {...(resetsIdle && { hint: t('dialog.idleHint') })}>
            <Select
              value={facts}
              onValueChange={setFacts}
              options={FACTS.map((value) => ({ value, label: t(`facts.${value}`) }))}
            />
          </Field>
          <Field label={t('dialog.prefix')} hint={t('dialog.prefixHint')} optional={ui('optional')}>
            <Input
              value={match}
              onChange={(e) => setMatch(e.target.value)}
              maxLength={256}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              placeholder={t('dialog.prefixPlaceholder')}
            />
          </Field>
          <div className="flex items-start gap-3">
            <Switch
              id="scan-values"
              className="mt-0.5"
              aria-describedby="scan-values-hint"
              checked={values}
              disabled={valuesForbidden}
              onCheckedChange={setValues}
            />
            <div>
              <Label htmlFor="scan-values">{t('dialog.values')}</Label>
              <p id="scan-values-hint" className="text-muted-foreground text-xs">
                {valuesForbidden ? reading('forbidden') : t('dialog.valuesHint')}
              </p>
            </div>
          </div>
          {needsReason ? <ReasonField value={reason} onChange={setReason} /> : null}
          <ScanHazards instanceId={instance.id} />
          <ErrorAlert error={start.error} detail />
          <NightlySchedule instance={instance} options={options} />
        </div>
      </DialogContent>
    </Dialog>
  );
}
