'use client';
import { Compass } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';

export function PageMissing() {
  const t = useTranslations('nav');
  return (
    <Card>
      <EmptyState
        icon={Compass}
        title={<h1>{t('missingTitle')}</h1>}
        className="py-20"
        actions={
          <Button asChild variant="primary">
            <Link href="/">{t('fleet')}</Link>
          </Button>
        }
      >
        {t('missingText')}
      </EmptyState>
    </Card>
  );
}
