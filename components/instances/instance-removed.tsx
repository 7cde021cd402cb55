import { Unplug } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';

/** Says that an instance was removed while somebody looked at it. */
export function InstanceRemoved() {
  const t = useTranslations('nav');
  return (
    <Card>
      <EmptyState
        icon={Unplug}
        title={<h1>{t('removedTitle')}</h1>}
        className="py-20"
        actions={
          <Button asChild variant="primary">
            <Link href="/">{t('fleet')}</Link>
          </Button>
        }
      >
        {t('removedText')}
      </EmptyState>
    </Card>
  );
}
