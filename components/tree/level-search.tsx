import { ListFilter } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useDraft } from '@/components/reports/filter/use-draft';
import { Input } from '@/components/ui/forms/input';

/** Finds parts of this level by what they begin with, or a glob. The server looks, over all pages. */
export function LevelSearch({ match, onMatch }: { match: string; onMatch: (match: string) => void }) {
  const t = useTranslations('tree');
  const draft = useDraft(match, onMatch);
  return (
    <div className="relative w-44 max-sm:w-full" title={t('matchHint')}>
      <ListFilter className="pointer-events-none absolute top-1.5 left-2 size-4 text-muted-foreground" aria-hidden />
      <Input
        type="search"
        className="h-7 pl-7.5 font-mono text-xs"
        aria-label={t('match')}
        placeholder={t('matchPlaceholder')}
        value={draft.text}
        maxLength={256}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => draft.change(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && draft.flush()}
      />
    </div>
  );
}
