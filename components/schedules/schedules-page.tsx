'use client';
import { CalendarClock, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { useSchedules } from '@/components/data/queries/use-schedules';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { PageHeader } from '@/components/ui/page-header';
import { roleAllows } from '@/lib/model/access';
import type { Schedule } from '@/lib/model/schedules/schedule';
import { NextDayCard } from './next-day-card';
import { RunsCard } from './runs-card';
import { ScheduleTable } from './schedule-table';

const ScheduleDialog = createLazyPart(() => import('./schedule-dialog').then((loaded) => loaded.ScheduleDialog));

/** The schedules, what they do in the next 24 hours, and what became of their runs. */
export function SchedulesPage() {
  const t = useTranslations('schedules');
  const schedules = useSchedules();
  const [editing, setEditing] = useState<Schedule | 'new' | null>(null);
  const user = useSession().data?.user;
  const mayAdd = user && [user, ...user.grants].some(({ role }) => roleAllows(role, 'scan.run'));
  const button = (
    <Button variant="primary" onClick={() => setEditing('new')}>
      <Plus aria-hidden />
      {t('add')}
    </Button>
  );
  const add = mayAdd ? (
    button
  ) : (
    <May permission="scan.run" reason>
      {button}
    </May>
  );
  const hasSome = (schedules.data?.length ?? 0) > 0;
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          hasSome ? (
            <>
              <OneTableMenu id="schedules" name={t('title')} />
              {add}
            </>
          ) : null
        }
      />
      <EachCard>
        {hasSome ? <NextDayCard /> : null}
        <Card>
          <Loaded query={schedules} rows={3}>
            {(rows) =>
              rows.length === 0 ? (
                <EmptyState icon={CalendarClock} title={t('empty.title')} className="py-20" actions={add}>
                  {t('empty.text')}
                </EmptyState>
              ) : (
                <ScheduleTable schedules={rows} onEdit={setEditing} />
              )
            }
          </Loaded>
        </Card>
        {hasSome ? <RunsCard /> : null}
      </EachCard>
      {editing ? (
        <ScheduleDialog schedule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
    </div>
  );
}
