import { Camera, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { CommandDialog, CommandGroup, CommandItem } from '@/components/ui/overlays/command';

/** What is found by typing; type what is not there, and it says so. */
export function PaletteSample({ onClose }: { onClose: () => void }) {
  const t = useTranslations('styleguide');
  return (
    <CommandDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('palette')}
      placeholder={t('filter')}
      empty={t('empty')}
      typed={{ text: '', chosen: false }}
    >
      <CommandGroup heading={t('controls')}>
        <CommandItem onSelect={onClose}>
          <Camera aria-hidden />
          {t('act')}
        </CommandItem>
        <CommandItem disabled>{t('disabled')}</CommandItem>
      </CommandGroup>
      <CommandGroup heading={t('places')}>
        <CommandItem onSelect={onClose}>
          <Trash2 aria-hidden />
          {t('remove')}
        </CommandItem>
      </CommandGroup>
    </CommandDialog>
  );
}
