import { Languages } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { useSetLocale } from './use-set-locale';

export const LANGUAGES = [
  { value: 'en', name: 'English' },
  { value: 'zh-CN', name: '简体中文' },
] as const;

export function LanguageMenu({ className }: { className?: string }) {
  const t = useTranslations('nav');
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" className={className} aria-label={t('language')} title={t('language')}>
          <Languages className="size-4" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <LanguageChoices />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The choices, for a separate menu or for a part of another one. */
export function LanguageChoices() {
  const locale = useLocale();
  const setLocale = useSetLocale();
  return LANGUAGES.map(({ value, name }) => (
    <DropdownMenuChoice key={value} lang={value} checked={locale === value} onCheckedChange={() => setLocale(value)}>
      {name}
    </DropdownMenuChoice>
  ));
}
