import { Search } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { CommandGroup, CommandItem, FOUND_BY_ANYTHING, useTyped } from '@/components/ui/overlays/command';
import { escapeGlob } from '@/lib/model/text/escape-glob';
import { globFault } from '@/lib/model/text/glob';

/** Searches the typed text in the names of the instance's keys. */
export function PaletteKeys({ href, go }: { href: string; go: (href: string) => void }) {
  const t = useTranslations('nav');
  const typed = useTyped().trim();
  // Shown only after the rules are loaded: the first entry is preselected, and a person who typed the id of a rule
  // means the rule.
  const { catalogue } = useRules();
  if (typed === '' || catalogue === null) return null;
  const [address = '', query] = href.split('?');
  const search = new URLSearchParams(query);
  // A text that is not a valid pattern is escaped and searched literally.
  search.set('search', globFault(typed) === null ? typed : escapeGlob(typed));
  return (
    <CommandGroup heading={t('groupKeys')}>
      <CommandItem value={FOUND_BY_ANYTHING} onSelect={() => go(`${address}?${search}`)}>
        <Search aria-hidden />
        <span className="min-w-0 truncate">{t('keysNamed', { text: typed })}</span>
      </CommandItem>
    </CommandGroup>
  );
}
