import { ImageDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { PictureFormat } from '@/components/charts/picture/draw-picture';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstance } from '@/components/data/queries/use-instances';
import { useHere } from '@/components/layout/navigation/use-here';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { buildFilterChips } from './filter/filter-chips';
import { useChipWords } from './filter/use-chip-words';
import { useFilter } from './filter/use-filter';
import { usePageFilterFields } from './filter/use-page-filter-fields';

const FORMATS: readonly PictureFormat[] = ['png', 'svg'];

interface Picture {
  title: string;
  /** The time of the data, epoch ms; if absent, that of the snapshot of the page. */
  at?: number;
  /** Name of the instance, for a page that belongs to no instance. */
  instanceName?: string | null;
}

/**
 * Saves a chart as a picture: in the current theme, with its title, the instance, the time of the data and the filter.
 * Returns the menu, for the header of the chart's card, and the ref of the element that the picture shows.
 */
export function useChartPicture(props: Picture) {
  const t = useTranslations('filters.picture');
  const f = useFormat();
  const place = useRef<HTMLDivElement>(null);
  const { instanceId } = useHere();
  const { data: instance } = useInstance(instanceId);
  const { snapshot } = useCurrentSnapshot(instanceId);
  const filter = useFilterWords();
  const save = async (format: PictureFormat) => {
    // Loaded on the first click.
    const { savePicture } = await import('./files/save-picture');
    const at = props.at ?? snapshot?.startedAt;
    if (place.current === null) return;
    await savePicture({
      place: place.current,
      title: props.title,
      instance: props.instanceName ?? instance?.name ?? instanceId ?? '',
      details: [at ? f.dateTimeExact(at) : '', ...filter],
      format,
    });
  };
  const menu = (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="iconXs" variant="ghost" aria-label={t('label', { chart: props.title })}>
          <ImageDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {FORMATS.map((format) => (
          <DropdownMenuItem key={format} onSelect={() => void save(format).catch(() => void toast.error(t('failed')))}>
            {t(format)}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
  return { menu, place };
}

/** A chart that can be saved as a picture, where it has no card with a header of its own. */
export function ChartPicture(
  props: Picture & {
    /** The chart takes the remaining height of its card. */
    fill?: boolean;
    /** Choices of how the chart is drawn, or its heading, on the line above it. */
    controls?: ReactNode;
    children: ReactNode;
  },
) {
  const { menu, place } = useChartPicture(props);
  const fill = props.fill ? 'flex min-h-0 flex-1 flex-col' : undefined;
  return (
    <div className={fill}>
      <div className="mb-0.5 flex items-start justify-end gap-2">
        {props.controls ? <div className="mr-auto flex flex-wrap gap-2 pb-1.5">{props.controls}</div> : null}
        {menu}
      </div>
      <div ref={place} className={fill}>
        {props.children}
      </div>
    </div>
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
