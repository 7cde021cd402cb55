import { BookCheck } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { CommandGroup, CommandItem, useTyped } from '@/components/ui/overlays/command';

/** The rules by id and title in either language, shown only once something is typed, because there are many. */
export function PaletteRules({ hrefOf, go }: { hrefOf: (rule: string) => string | null; go: (href: string) => void }) {
  const t = useTranslations('nav');
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const { catalogue } = useRules();
  const typed = useTyped();
  if (typed.trim() === '' || catalogue === null) return null;
  return (
    <CommandGroup heading={t('groupRules')}>
      {catalogue.rules.map(({ id, area, text }) => (
        <CommandItem
          key={id}
          value={`${id} ${text[locale].title}`}
          keywords={[text[locale === 'en' ? 'zh-CN' : 'en'].title]}
          // Outside an instance the link goes to the default profile, which shows what a rule says.
          onSelect={() => go(hrefOf(id) ?? `/profiles/default#${area}`)}
        >
          <BookCheck aria-hidden />
          <span className="font-mono text-muted-foreground text-xs">{id}</span>
          <span className="min-w-0">{text[locale].title}</span>
        </CommandItem>
      ))}
    </CommandGroup>
  );
}
