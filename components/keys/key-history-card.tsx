import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

const KeyHistory = createLazyPart(() => import('./key-history').then((loaded) => loaded.KeyHistory));

/** What the kept snapshots say about one key; they are asked once somebody wants to know. */
export function KeyHistoryCard(props: { instanceId: string; k: string; db: number }) {
  const t = useTranslations('compare.history');
  const [open, setOpen] = useState(false);
  return (
    <Card className="xl:col-span-2">
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          open ? null : (
            <Button size="sm" onClick={() => setOpen(true)}>
              {t('show')}
            </Button>
          )
        }
      />
      {open ? <KeyHistory {...props} /> : null}
    </Card>
  );
}
