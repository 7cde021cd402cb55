import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '@/components/data/format/use-format';
import { shortenAxis } from '@/components/reports/shorten-axis';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Chip } from './filter-chips';

const EXPIRY_LABELS: Record<string, 'expiryNone' | 'expiryAny' | 'expiryUnknown' | 'expiryExpired'> = {
  none: 'expiryNone',
  any: 'expiryAny',
  unknown: 'expiryUnknown',
  expired: 'expiryExpired',
};

/** The name and the text of a chip. A flag needs no text. */
export function useChipWords(): (chip: Chip) => { name: string; text: string } {
  const t = useTranslations('filters');
  const f = useFormat();
  const formatChip = (chip: Chip) => {
    if (chip.kind === 'text') return toVisibleText(chip.text ?? '');
    if (chip.kind === 'list') return chip.text ?? '';
    if (chip.kind === 'expiry') return t(EXPIRY_LABELS[chip.text ?? ''] ?? 'expiryAll');
    return chip.kind === 'flag' ? '' : formatRange(chip, t, f);
  };
  return (chip) => ({ name: t(`name.${chip.id}`), text: formatChip(chip) });
}

function formatRange(chip: Chip, t: ReturnType<typeof useTranslations<'filters'>>, f: Format): string {
  const write =
    chip.kind === 'bytes'
      ? (v: number | undefined) => shortenAxis(f.bytes(v))
      : chip.kind === 'seconds'
        ? f.seconds
        : f.number;
  const values = { min: write(chip.min), max: write(chip.max) };
  if (chip.min === undefined) return t('range.atMost', values);
  if (chip.max === undefined) return t('range.atLeast', values);
  return chip.min === chip.max ? t('range.exactly', values) : t('range.between', values);
}
