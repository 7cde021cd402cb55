import { useTranslations } from 'use-intl';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';

/** A prefix as a link to its keys. Names without a delimiter have no prefix, and no filter can select just those. */
export function PrefixName({ prefix, href }: { prefix: string; href: string }) {
  const t = useTranslations('filters');
  if (prefix === '') return <span className="text-muted-foreground">{t('noPrefix')}</span>;
  return (
    <Link href={href} className="hover:text-accent hover:underline">
      <KeyName name={prefix} max={48} />
    </Link>
  );
}
