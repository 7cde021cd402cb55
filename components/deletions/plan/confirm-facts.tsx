import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DeletionOptions, ExpireOptions } from '@/lib/model/deletions/plan-request';

/** A plan may concern hundreds of nodes, so only the first ones are listed. */
const NODES_SHOWN = 3;

/** Shows what the decision is based on: the server, the age of the snapshot, and the chosen options. */
export function ConfirmFacts({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.confirm');
  const { server, snapshotAt } = plan;
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      <Fact name={t('address')}>{server.endpoints.join(', ')}</Fact>
      <Fact name={t('server')}>
        {server.nodes.slice(0, NODES_SHOWN).map(({ address, role, version, runId }) => (
          <span key={address} className="block">
            {[address, role, version].filter(Boolean).join(' · ')}
            {runId ? (
              <span className="block text-muted-foreground text-xs">{t('runId', { id: runId.slice(0, 12) })}</span>
            ) : null}
          </span>
        ))}
        {server.nodes.length > NODES_SHOWN ? t('moreNodes', { count: server.nodes.length - NODES_SHOWN }) : null}
      </Fact>
      <Fact name={t('snapshot')}>
        {snapshotAt ? t.rich('taken', { when: () => <TimeAgo at={snapshotAt} /> }) : t('noSnapshot')}
      </Fact>
      <Fact name={t('readAt')}>
        <TimeAgo at={plan.lookedAt} />
      </Fact>
      {plan.task === 'expire' ? (
        <ExpiryFacts options={plan.options as ExpireOptions} />
      ) : (
        <DeletionFacts options={plan.options as DeletionOptions} />
      )}
    </dl>
  );
}

function DeletionFacts({ options }: { options: DeletionOptions }) {
  const t = useTranslations('deletions.confirm');
  const words = useTranslations('deletions');
  const f = useFormat();
  const { mode, afterQuarantine, quarantineHours, retentionHours, tolerancePercent, onExpiring, moduleTypes } = options;
  const isArchived =
    mode === 'archive' || mode === 'in_place' || (mode === 'quarantine' && afterQuarantine === 'archive');
  return (
    <>
      <Fact name={words('plan.ways')}>{words(`mode.${mode}.name`)}</Fact>
      {mode === 'quarantine' ? (
        <Fact name={t('quarantine')}>
          {t('thenWay', { time: f.seconds(quarantineHours * 3600), way: words(`mode.${afterQuarantine}.name`) })}
        </Fact>
      ) : null}
      <Fact name={t('retention')}>
        {isArchived ? f.seconds(retentionHours * 3600) : <span className="text-danger">{t('noArchive')}</span>}
      </Fact>
      <Fact name={t('tolerance')}>{t('toleranceText', { percent: tolerancePercent })}</Fact>
      {onExpiring === 'skip' ? <Fact name={words('new.onExpiring')}>{words('new.expiring.skip')}</Fact> : null}
      {moduleTypes.length > 0 ? <Fact name={words('new.moduleTypes')}>{moduleTypes.join(', ')}</Fact> : null}
    </>
  );
}

function ExpiryFacts({ options }: { options: ExpireOptions }) {
  const t = useTranslations('deletions');
  const f = useFormat();
  const { fromSeconds, windowSeconds, only } = options;
  return (
    <>
      <Fact name={t('confirm.earliest')}>{f.seconds(fromSeconds)}</Fact>
      <Fact name={t('confirm.window')}>{f.seconds(windowSeconds)}</Fact>
      <Fact name={t('new.only')}>{t(only === 'all' ? 'new.onlyAll' : 'new.onlyNone')}</Fact>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground text-xs">{name}</dt>
      <dd className="num mt-0.5 whitespace-normal [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
