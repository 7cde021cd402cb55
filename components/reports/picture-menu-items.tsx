import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import type { PictureFormat } from '@/components/charts/picture/draw-picture';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { DropdownMenuContent, DropdownMenuItem } from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { buildFilterChips } from './filter/filter-chips';
import { useChipWords } from './filter/use-chip-words';
import { useFilter } from './filter/use-filter';
import { usePageFilterFields } from './filter/use-page-filter-fields';

const FORMATS: readonly PictureFormat[] = ['png', 'svg'];

export interface Picture {
  title: string;
  /** The time of the data, epoch ms; if absent, that of the snapshot of the page. */
  at?: number;
  /** Name of the instance, for a page that belongs to no instance. */
  instanceName?: string | null;
}

/** The formats in which a chart can be saved. A chart loads them when its menu is first opened. */
export function PictureMenuItems(props: Picture & { place: RefObject<HTMLDivElement | null> }) {
  const t = useTranslations('filters.picture');
  const f = useFormat();
  const { instanceId } = useHere();
  const { data: instance } = useInstance(instanceId);
  const { snapshot } = useCurrentSnapshot(instanceId);
  const filter = useFilterWords();
  const save = async (format: PictureFormat) => {
    // Loaded on the first click.
    const { savePicture } = await import('./files/save-picture');
    const at = props.at ?? snapshot?.startedAt;
    if (props.place.current === null) return;
    await savePicture({
      place: props.place.current,
      title: props.title,
      instance: props.instanceName ?? instance?.name ?? instanceId ?? '',
      details: [at ? f.dateTimeExact(at) : '', ...filter],
      format,
    });
  };
  return (
    <DropdownMenuContent>
      {FORMATS.map((format) => (
        <DropdownMenuItem key={format} onSelect={() => void save(format).catch(() => void toast.error(t('failed')))}>
          {t(format)}
        </DropdownMenuItem>
      ))}
    </DropdownMenuContent>
  );
}

/**
 * The filter in words, limited to the fields that the current page filters by, for output that leaves the page without
 * its chips.
 */
export function useFilterWords(): string[] {
  const { filter } = useFilter();
  const pageFilter = usePageFilterFields();
  const formatChip = useChipWords();
  if (pageFilter === undefined) return [];
  return buildFilterChips(filter)
    .filter((chip) => pageFilter === null || chip.fields.some((field) => pageFilter.fields.includes(field)))
    .map((chip) => {
      const { name, text } = formatChip(chip);
      return text === '' ? name : `${name} ${text}`;
    });
}
