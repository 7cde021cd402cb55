import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { LazyPaletteDialog } from './lazy-palette-dialog';

export function CommandPalette() {
  const t = useTranslations('nav');
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((o) => !o);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => setOpen(true)}
        aria-label={t('search')}
        aria-keyshortcuts="Meta+K Control+K"
        className="text-muted-foreground max-sm:border-0 max-sm:bg-transparent max-sm:px-2 max-sm:shadow-none lg:w-52 lg:justify-start"
      >
        <Search aria-hidden />
        <span className="flex-1 text-left font-normal max-lg:hidden">{t('searchShort')}</span>
        <kbd className="rounded border bg-background px-1 font-sans text-2xs max-lg:hidden">⌘K</kbd>
      </Button>
      {open ? <LazyPaletteDialog onOpenChange={setOpen} /> : null}
    </>
  );
}
