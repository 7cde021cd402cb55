'use client';
import { Plus } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { May } from '@/components/data/may';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/forms/segmented';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { PageHeader } from '@/components/ui/page-header';
import { AlertList } from './alert-list';
import { RuleList } from './rule-list';
import { SilenceList } from './silence-list';

const RuleDialog = createLazyPart(() => import('./rule-dialog').then((loaded) => loaded.RuleDialog));
const SilenceDialog = createLazyPart(() => import('./silence-dialog').then((loaded) => loaded.SilenceDialog));

const SHOW = ['open', 'history', 'rules', 'silences'] as const;

/** What fires now and what did, by which rules, and what is silenced. */
export function AlertsPage() {
  const t = useTranslations('alerts');
  const [show, setShow] = useQueryState('show', parseAsStringLiteral(SHOW).withDefault('open'));
  const [adding, setAdding] = useState<'rules' | 'silences' | null>(null);
  const close = () => setAdding(null);
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            <OneTableMenu id={`alerts-${show}`} name={t(`show.${show}`)} />
            {show === 'rules' || show === 'silences' ? (
              <May permission="policy.edit" reason>
                <Button variant="primary" onClick={() => setAdding(show)}>
                  <Plus aria-hidden />
                  {t(show === 'rules' ? 'rule.add' : 'silence.add')}
                </Button>
              </May>
            ) : null}
          </>
        }
      />
      <div className="overflow-x-auto">
        <Segmented
          label={t('show.label')}
          value={show}
          onValueChange={(value) => void setShow(value)}
          options={SHOW.map((value) => ({ value, label: t(`show.${value}`) }))}
        />
      </div>
      <EachCard>
        {show === 'open' ? <AlertList key="open" state="open" /> : null}
        {show === 'history' ? <AlertList key="resolved" state="resolved" /> : null}
        {show === 'rules' ? <RuleList /> : null}
        {show === 'silences' ? <SilenceList /> : null}
      </EachCard>
      {adding === 'rules' ? <RuleDialog rule={null} onClose={close} /> : null}
      {adding === 'silences' ? <SilenceDialog start={{}} onClose={close} /> : null}
    </div>
  );
}
