'use client';
import { Compass, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';

export function PageMissing() {
  const t = useTranslations('nav');
  return (
    <NothingHere icon={Compass} title={t('missingTitle')}>
      {t('missingText')}
    </NothingHere>
  );
}

/** Says why there is nothing at an address, with a way to the fleet. */
export function NothingHere(props: { icon: LucideIcon; title: string; children: string }) {
  const t = useTranslations('nav');
  return (
    <Card>
      <EmptyState
        icon={props.icon}
        title={<h1>{props.title}</h1>}
        className="py-20"
        actions={
          <Button asChild variant="primary">
            <Link href="/">{t('fleet')}</Link>
          </Button>
        }
      >
        {props.children}
      </EmptyState>
    </Card>
  );
}
