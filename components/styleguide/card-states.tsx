import { Camera } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { SkeletonRows } from '@/components/ui/skeleton';

/** What stands in a card before, without and instead of its data. */
export function CardStates({ waiting }: { waiting: boolean }) {
  const t = useTranslations('styleguide');
  return (
    <div className="min-w-0 space-y-4">
      {waiting ? (
        <Card>
          <CardHeader title={t('loading')} description={t('hint')} />
          <SkeletonRows rows={4} />
        </Card>
      ) : null}
      <Card>
        <CardHeader title={t('empty')} />
        <EmptyState icon={Camera} title={t('empty')} actions={<Button>{t('act')}</Button>}>
          {t('hint')}
        </EmptyState>
      </Card>
      <Card>
        <CardHeader title={t('failed')} />
        <ErrorState error={{ code: 'redis_unreachable', message: t('wrong') }} onRetry={() => {}} />
      </Card>
    </div>
  );
}
