import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '@/components/data/format/use-format';
import { dropZeroDecimals } from '@/components/reports/drop-zero-decimals';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Chip } from './filter-chips';
import { EXPIRY_LABELS } from './filter-params';

/** Returns a function that gives the name and the text of a chip in words. The text of a flag is ''. */
export function useChipWords(): (chip: Chip) => { name: string; text: string } {
  const t = useTranslations('filters');
  const f = useFormat();
  const formatChip = (chip: Chip) => {
    if (chip.kind === 'text') return toVisibleText(chip.text ?? '');
    if (chip.kind === 'list') return chip.text ?? '';
    if (chip.kind === 'expiry') return t(EXPIRY_LABELS[chip.text as keyof typeof EXPIRY_LABELS]);
    return chip.kind === 'flag' ? '' : formatRange(chip, t, f);
  };
  return (chip) => ({ name: t(`name.${chip.id}`), text: formatChip(chip) });
}

function formatRange(chip: Chip, t: ReturnType<typeof useTranslations<'filters'>>, f: Format): string {
  const formatBytes = (bytes: number | undefined) => dropZeroDecimals(f.bytes(bytes));
  const format = chip.kind === 'bytes' ? formatBytes : chip.kind === 'seconds' ? f.seconds : f.number;
  const values = { min: format(chip.min), max: format(chip.max) };
  if (chip.min === undefined) return t('range.atMost', values);
  if (chip.max === undefined) return t('range.atLeast', values);
  return chip.min === chip.max ? t('range.exactly', values) : t('range.between', values);
}
