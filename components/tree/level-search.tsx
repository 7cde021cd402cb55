import { ListFilter } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { GlobInput } from '@/components/reports/filter/draft-input';

/** Searches the nodes of this level by prefix or glob. The server searches over all pages. */
export function LevelSearch({ match, onMatch }: { match: string; onMatch: (match: string) => void }) {
  const t = useTranslations('tree');
  return (
    <div className="relative w-64 max-sm:w-full">
      <ListFilter className="pointer-events-none absolute top-1.5 left-2 size-4 text-muted-foreground" aria-hidden />
      <GlobInput
        type="search"
        title={t('matchHint')}
        className="h-7 pl-7.5 font-mono text-xs"
        aria-label={t('match')}
        placeholder={t('matchPlaceholder')}
        value={match}
        maxLength={256}
        spellCheck={false}
        autoCapitalize="none"
        onCommit={onMatch}
      />
    </div>
  );
}
