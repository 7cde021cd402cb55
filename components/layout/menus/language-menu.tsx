import { Languages } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { setLocaleCookie } from './set-locale';

export const LANGUAGES = [
  { value: 'en', name: 'English' },
  { value: 'zh-CN', name: '简体中文' },
] as const;

export function LanguageMenu() {
  const t = useTranslations('nav');
  const locale = useLocale();
  const router = useRouter();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t('language')} title={t('language')}>
          <Languages className="size-4" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {LANGUAGES.map(({ value, name }) => (
          <DropdownMenuChoice
            key={value}
            lang={value}
            checked={locale === value}
            onCheckedChange={() => {
              setLocaleCookie(value);
              router.refresh();
            }}
          >
            {name}
          </DropdownMenuChoice>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
