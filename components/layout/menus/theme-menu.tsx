import { Monitor, Moon, Sun } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuChoice,
  DropdownMenuContent,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';

const THEMES = [
  { value: 'light', label: 'themeLight', Icon: Sun },
  { value: 'dark', label: 'themeDark', Icon: Moon },
  { value: 'system', label: 'themeSystem', Icon: Monitor },
] as const;

export function ThemeMenu({ className }: { className?: string }) {
  const t = useTranslations('nav');
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon" className={className} aria-label={t('theme')} title={t('theme')}>
          <Sun className="size-4 dark:hidden" aria-hidden />
          <Moon className="hidden size-4 dark:block" aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <ThemeChoices />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The choices, for a separate menu or for a part of another one. */
export function ThemeChoices() {
  const t = useTranslations('nav');
  const { theme, setTheme } = useTheme();
  return THEMES.map(({ value, label, Icon }) => (
    <DropdownMenuChoice key={value} checked={theme === value} onCheckedChange={() => setTheme(value)}>
      <Icon aria-hidden />
      {t(label)}
    </DropdownMenuChoice>
  ));
}
