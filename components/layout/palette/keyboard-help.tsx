import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import { usePaletteShortcut } from './palette-shortcut';

/** The shortcuts of every page, and of the parts of pages that have their own. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const t = useTranslations('nav.keyboard');
  const ui = useTranslations('ui');
  const palette = usePaletteShortcut();
  const groups = [
    {
      name: t('everywhere'),
      keys: [
        [palette, t('palette')],
        ['/', t('filter')],
        ['?', t('help')],
        ['Esc', t('close')],
      ],
    },
    {
      name: t('tables'),
      keys: [
        ['↑ ↓', t('rows')],
        ['← →', t('controls')],
        [t('space'), t('select')],
        ['Tab', t('leave')],
      ],
    },
    {
      name: t('tree'),
      keys: [
        ['↑ ↓', t('rows')],
        ['→', t('open')],
        ['←', t('fold')],
        ['Enter', t('enter')],
        [t('backspace'), t('up')],
      ],
    },
    {
      name: t('charts'),
      keys: [
        ['↑ ↓ ← →', t('marks')],
        ['Enter', t('list')],
      ],
    },
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('title')}
        footer={
          <DialogClose asChild>
            <Button>{ui('close')}</Button>
          </DialogClose>
        }
      >
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          {groups.map(({ name, keys }) => (
            <section key={name} aria-label={name}>
              <h3 className="mb-1 font-medium text-sm">{name}</h3>
              <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 text-sm">
                {keys.map(([key, does]) => (
                  <div key={does} className="col-span-2 grid grid-cols-subgrid items-baseline">
                    <dt>
                      <kbd className="whitespace-nowrap rounded border bg-background px-1.5 font-sans text-xs">
                        {key}
                      </kbd>
                    </dt>
                    <dd className="text-muted-foreground">{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogContent>
    </Dialog>
  );
}
