import { Search } from 'lucide-react';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { type TypedAhead, useTypedAhead } from './use-typed-ahead';

/** The button of the command palette, which Ctrl+K or Cmd+K opens as well. */
export function CommandPalette() {
  const t = useTranslations('nav');
  const [open, setOpen] = useState(false);
  const { Dialog, load } = usePaletteDialog(open);
  const typedAhead = useTypedAhead(open, Dialog !== null, setOpen);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The modifier key is pressed first, so loading begins there and the code may be ready when the letter follows.
      if (event.key === 'Control' || event.key === 'Meta') load();
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((wasOpen) => !wasOpen);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [load]);
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => setOpen(true)}
        onPointerEnter={load}
        onFocus={load}
        aria-label={t('search')}
        aria-keyshortcuts="Meta+K Control+K"
        className="text-muted-foreground max-sm:border-0 max-sm:bg-transparent max-sm:px-2 max-sm:shadow-none lg:w-52 lg:justify-start"
      >
        <Search aria-hidden />
        <span className="flex-1 text-left font-normal max-lg:hidden">{t('searchShort')}</span>
        <kbd className="rounded border bg-background px-1 font-sans text-2xs max-lg:hidden">⌘K</kbd>
      </Button>
      {open && Dialog ? <Dialog onOpenChange={setOpen} typed={typedAhead} /> : null}
    </>
  );
}

type PaletteDialog = ComponentType<{ onOpenChange: (open: boolean) => void; typed: TypedAhead }>;

/**
 * Loads the palette's code when a person is about to open it. It does not use Suspense: React holds a fallback for up
 * to 300 ms, and keys typed meanwhile would be lost.
 */
function usePaletteDialog(open: boolean): { Dialog: PaletteDialog | null; load: () => void } {
  const [Dialog, setDialog] = useState<PaletteDialog | null>(null);
  const load = useCallback(() => {
    // After a failed load (the network, a newer build) the next opening tries again.
    import('./palette-dialog').then(
      (loaded) => setDialog(() => loaded.PaletteDialog),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (open) load();
  }, [open, load]);
  return { Dialog, load };
}
