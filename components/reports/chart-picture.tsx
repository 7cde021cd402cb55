import { ImageDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { createLazyMenuContent, DropdownMenu, DropdownMenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import type { Picture } from './picture-menu-items';

const Items = createLazyMenuContent(() => import('./picture-menu-items').then((loaded) => loaded.PictureMenuItems));

/**
 * Saves a chart as a picture: in the current theme, with its title, the instance, the time of the data and the filter.
 * Returns the menu, for the header of the chart's card, and the ref of the element that the picture shows.
 */
export function useChartPicture(props: Picture) {
  const t = useTranslations('filters.picture');
  const place = useRef<HTMLDivElement>(null);
  const menu = (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button size="iconXs" variant="ghost" aria-label={t('label', { chart: props.title })}>
          <ImageDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <Items {...props} place={place} />
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
