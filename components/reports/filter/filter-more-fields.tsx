import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Label } from '@/components/ui/forms/label';
import { Select } from '@/components/ui/forms/select';
import { Switch } from '@/components/ui/forms/switch';
import { PopoverContent } from '@/components/ui/overlays/popover';
import { EXPIRY_CLASSES, EXPIRY_LABELS } from './filter-params';
import { FilterRange } from './filter-range';
import {
  formatBytesInput,
  formatSecondsInput,
  parseBytes,
  parseCount,
  parseNumbers,
  parseSeconds,
} from './parse-quantity';
import { LONG_REST_MS, useDraft } from './use-draft';
import { useFilter } from './use-filter';

/** All fields of the filter that are not in the bar. */
export function FilterMoreFields() {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const tag = useDraft(filter.tag ?? '', (text) => set({ tag: text || null }), LONG_REST_MS);
  return (
    <PopoverContent
      aria-label={t('more')}
      className="grid max-h-[70dvh] w-[min(26rem,calc(100vw-2rem))] gap-3 overflow-y-auto"
    >
      <div className="grid grid-cols-2 items-end gap-3">
        <Field label={t('expiry')}>
          <Select
            value={filter.expiry ?? 'all'}
            onValueChange={(expiry) => set({ expiry: expiry === 'all' ? null : expiry })}
            options={[
              { value: 'all' as const, label: t('expiryAll') },
              ...EXPIRY_CLASSES.map((value) => ({ value, label: t(EXPIRY_LABELS[value]) })),
            ]}
          />
        </Field>
        <div className="flex h-8 items-center gap-2">
          <Switch id="filter-big" checked={filter.big ?? false} onCheckedChange={(on) => set({ big: on || null })} />
          <Label htmlFor="filter-big">{t('big')}</Label>
        </div>
      </div>
      <FilterRange name="ttl" parse={parseSeconds} format={formatSecondsInput} />
      <FilterRange name="bytes" parse={parseBytes} format={formatBytesInput} />
      <FilterRange name="length" parse={parseCount} format={String} />
      <FilterRange name="idle" parse={parseSeconds} format={formatSecondsInput} />
      <FilterRange name="slot" parse={parseCount} format={String} max={16_383} />
      <div className="grid grid-cols-3 gap-3">
        <FilterList name="db" />
        <FilterList name="node" />
        <Field label={t('name.tag')}>
          <Input
            className="font-mono"
            value={tag.text}
            placeholder={t('hint.tag')}
            onChange={(event) => tag.change(event.target.value)}
            onBlur={tag.flush}
          />
        </Field>
      </div>
    </PopoverContent>
  );
}

/** A field for a list of numbers. Invalid text stays in it, marked, and does not filter. */
export function FilterList({ name }: { name: 'db' | 'node' }) {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const commit = (text: string) => {
    const numbers = parseNumbers(text);
    if (numbers !== null) set({ [name]: numbers ?? null });
  };
  const draft = useDraft((filter[name] ?? []).join(', '), commit, LONG_REST_MS);
  const isInvalid = parseNumbers(draft.text) === null;
  return (
    <Field
      label={t(`name.${name}`)}
      error={isInvalid ? t('notUnderstood', { examples: t(`hint.${name}`) }) : undefined}
    >
      <Input
        value={draft.text}
        placeholder={t(`hint.${name}`)}
        inputMode="numeric"
        onChange={(event) => draft.change(event.target.value)}
        onBlur={draft.flush}
      />
    </Field>
  );
}
