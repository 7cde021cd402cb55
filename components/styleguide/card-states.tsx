import { Camera } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorAlert } from '@/components/data/error-alert';
import { ErrorState } from '@/components/data/error-state';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton';

/** What stands in a card before, without and instead of its data. */
export function CardStates({ waiting }: { waiting: boolean }) {
  const t = useTranslations('styleguide');
  return (
    <div className="min-w-0 space-y-4">
      {waiting ? (
        <Card>
          <CardHeader title={t('loading')} description={t('hint')} />
          <SkeletonRows rows={4} />
          <CardBody>
            <Skeleton className="h-24 w-full" />
          </CardBody>
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
        <CardBody>
          <ErrorAlert error={{ code: 'store_read_only', message: t('wrong') }} detail />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title={t('empty')} as="h3" />
        <EmptyState title={t('empty')} className="py-4" />
      </Card>
      <MalformedAnswer />
    </div>
  );
}

/** One malformed answer blanks one card. */
function MalformedAnswer() {
  const t = useTranslations('styleguide');
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <EachCard>
        <Malformed />
      </EachCard>
    );
  return (
    <Card>
      <CardHeader
        title={t('malformed')}
        actions={
          <Button size="sm" onClick={() => setBroken(true)}>
            {t('act')}
          </Button>
        }
      />
      <CardBody>{t('hint')}</CardBody>
    </Card>
  );
}

function Malformed(): never {
  throw new Error('An answer without rows.');
}
