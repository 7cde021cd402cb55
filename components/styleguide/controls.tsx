import { Camera, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { SelectBox } from '@/components/data-table/select-box';
import { Button, type ButtonProps } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { Select } from '@/components/ui/forms/select';
import { Switch } from '@/components/ui/forms/switch';
import { everyOne } from './sample';

const VARIANTS = everyOne<NonNullable<ButtonProps['variant']>>({
  primary: true,
  secondary: true,
  ghost: true,
  danger: true,
  dangerGhost: true,
  link: true,
});
const SIZES = everyOne<NonNullable<ButtonProps['size']>>({
  xs: true,
  sm: true,
  md: true,
  lg: true,
  icon: true,
  iconSm: true,
  iconXs: true,
});
const TICKS = [
  { label: 'one', checked: true },
  { label: 'two', checked: false, some: true },
  { label: 'nothing', checked: false },
  { label: 'disabled', checked: true, disabled: true },
] as const;

/** Buttons in each look, size and state; fields as they are, wrong and out of reach. */
export function Controls({ waiting }: { waiting: boolean }) {
  const t = useTranslations('styleguide');
  const [on, setOn] = useState(true);
  const [which, setWhich] = useState<'one' | 'two'>('one');
  const options = [
    { value: 'one', label: t('one') },
    { value: 'two', label: t('two') },
  ] as const;
  return (
    <Card>
      <CardHeader title={t('controls')} />
      <CardBody className="space-y-4">
        {VARIANTS.map((variant) => (
          <div key={variant} className="flex flex-wrap items-center gap-2">
            <code className="w-24 text-muted-foreground text-xs">{variant}</code>
            <Button variant={variant}>
              <Camera aria-hidden />
              {t('act')}
            </Button>
            <Button variant={variant} busy={waiting}>
              {t('busy')}
            </Button>
            <Button variant={variant} disabled>
              {t('disabled')}
            </Button>
          </div>
        ))}
        <div className="flex flex-wrap items-center gap-2">
          {SIZES.map((size) => (
            <Button key={size} size={size} aria-label={`${t('act')} ${size}`}>
              {size.startsWith('icon') ? <Trash2 aria-hidden /> : size}
            </Button>
          ))}
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('field')} hint={t('hint')}>
            <Input defaultValue="user:" />
          </Field>
          <Field label={t('field')} error={t('wrong')}>
            <Input defaultValue="…" aria-invalid />
          </Field>
          <Field label={t('disabled')}>
            <Input disabled defaultValue="user:" />
          </Field>
          <Select aria-label={t('field')} value={which} onValueChange={setWhich} options={options} />
        </div>
        <div className="flex flex-wrap items-center gap-4">
          <Segmented label={t('field')} value={which} onValueChange={setWhich} options={options} />
          <Segmented
            size="sm"
            label={t('disabled')}
            value={which}
            onValueChange={setWhich}
            options={options}
            disabled
          />
          <Switch aria-label={t('field')} checked={on} onCheckedChange={setOn} />
          <Switch aria-label={t('disabled')} checked disabled />
          {TICKS.map(({ label, ...tick }) => (
            <SelectBox key={label} label={t('select', { name: t(label) })} onClick={() => undefined} {...tick} />
          ))}
        </div>
      </CardBody>
    </Card>
  );
}
