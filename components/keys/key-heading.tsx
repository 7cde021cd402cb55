import { useTranslations } from 'use-intl';
import { Badge } from '@/components/ui/badge';
import { KeyName } from '@/components/ui/key-name';
import { TypeBadge } from '@/components/ui/type-badge';

export function KeyHeading({ name, type, db, gone }: { name: string; type: string | null; db: number; gone: boolean }) {
  const t = useTranslations('keys.page');
  const binary = /\\x[0-9a-f]{2}|^\\java\\/.test(name);
  return (
    <header className="grid gap-1.5">
      <h1 className="min-w-0 font-medium text-lg">
        <KeyName name={name} max={1024} wrap />
      </h1>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted-foreground">
        {type === null ? null : <TypeBadge type={type} className="text-sm text-foreground" />}
        <span className="num">
          {t('database')} {db}
        </span>
        {gone ? <Badge tone="warning">{t('vanishedTitle')}</Badge> : null}
        {binary ? <span className="text-xs">{t('binary')}</span> : null}
      </div>
    </header>
  );
}
