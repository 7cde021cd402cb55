import { ImageDown } from 'lucide-react';
import { useParams } from 'next/navigation';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { PictureFormat } from '@/components/charts/picture-of';
import { useFormat } from '@/components/data/format/use-format';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useInstance } from '@/components/data/queries/use-instances';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';

/** A chart, and its picture as a file: in the theme shown, with its title, the instance and the moment of the data. */
export function ChartPicture(props: {
  title: string;
  /** PNG only: it is drawn on a canvas. */
  canvas?: boolean;
  /** It takes the height that its card has left. */
  fill?: boolean;
  /** When the data is from, where that is not the snapshot of the page. */
  at?: number;
  children: ReactNode;
}) {
  const t = useTranslations('filters.picture');
  const f = useFormat();
  const place = useRef<HTMLDivElement>(null);
  const id = String(useParams<{ id: string }>().id ?? '');
  const { data: instance } = useInstance(id);
  const { snapshot } = useCurrentSnapshot(id);
  const save = async (format: PictureFormat) => {
    // Loaded on the first click.
    const { pictureOf } = await import('@/components/charts/picture-of');
    const name = instance?.name ?? id;
    const at = props.at ?? snapshot?.startedAt;
    const source = at ? `Colonnade · ${name} · ${f.dateTimeExact(at)}` : `Colonnade · ${name}`;
    const blob = place.current && (await pictureOf(place.current, { title: props.title, source }, format));
    if (!blob) return void toast.error(t('failed'));
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = `${`colonnade-${name}-${props.title}`.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const formats: readonly PictureFormat[] = props.canvas ? ['png'] : ['png', 'svg'];
  const fill = props.fill ? 'flex min-h-0 flex-1 flex-col' : undefined;
  return (
    <div className={fill}>
      <div className="mb-0.5 flex justify-end">
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button size="iconXs" variant="ghost" aria-label={t('label', { chart: props.title })}>
              <ImageDown aria-hidden />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            {formats.map((format) => (
              <DropdownMenuItem
                key={format}
                onSelect={() => void save(format).catch(() => void toast.error(t('failed')))}
              >
                {t(format)}
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
      </div>
      <div ref={place} className={fill}>
        {props.children}
      </div>
    </div>
  );
}
