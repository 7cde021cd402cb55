import { Search } from 'lucide-react';
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { usePaletteShortcut } from './palette-shortcut';
import { type TypedAhead, useTypedAhead } from './use-typed-ahead';

const KeyboardHelp = createLazyPart(() => import('./keyboard-help').then((loaded) => loaded.KeyboardHelp));

/** The button of the command palette, which Ctrl+K or Cmd+K opens as well. `?` shows all shortcuts. */
export function CommandPalette() {
  const t = useTranslations('nav');
  const [open, setOpen] = useState(false);
  const { Dialog, load } = usePaletteDialog(open);
  const shortcut = usePaletteShortcut();
  const [help, setHelp] = useState(false);
  const typedAhead = useTypedAhead(open, Dialog !== null, setOpen);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The modifier key is pressed first, so loading begins there and the code may be ready when the letter follows.
      if (event.key === 'Control' || event.key === 'Meta') load();
      if (event.key === '?' && !isTyping(event.target)) {
        event.preventDefault();
        setHelp(true);
        return;
      }
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
        // When the bar is full, this box alone gets narrower: its icon is enough to find it. A smaller factor would take
        // a fraction of a pixel from its neighbours, which already cuts their texts.
        className="text-muted-foreground max-sm:border-0 max-sm:bg-transparent max-sm:px-2 max-sm:shadow-none lg:@container lg:w-52 lg:min-w-9 lg:shrink-[99999] lg:justify-start lg:px-2.5"
      >
        <Search aria-hidden />
        <span className="flex-1 text-left font-normal max-lg:hidden @max-[4rem]:hidden">{t('searchShort')}</span>
        <kbd className="shrink-0 rounded border bg-background px-1 font-sans text-2xs max-lg:hidden @max-[7rem]:hidden">
          {shortcut}
        </kbd>
      </Button>
      {open && Dialog ? <Dialog onOpenChange={setOpen} onHelp={() => setHelp(true)} typed={typedAhead} /> : null}
      {help ? <KeyboardHelp onClose={() => setHelp(false)} /> : null}
    </>
  );
}

/** Whether a character would be typed into an element, or belongs to a dialog. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null;

type PaletteDialog = ComponentType<{
  onOpenChange: (open: boolean) => void;
  onHelp: () => void;
  typed: TypedAhead;
}>;

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
