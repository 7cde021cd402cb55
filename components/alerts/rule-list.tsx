import { BellRing, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useAlertRules, useRemoveAlertRule, useSaveAlertRule } from '@/components/data/queries/alerts/use-alerts';
import { useInstances } from '@/components/data/queries/use-instances';
import { useErrorToast } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Switch } from '@/components/ui/forms/switch';
import { Link } from '@/components/ui/link';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toVisibleText } from '@/components/ui/visible-text';
import type { AlertRule } from '@/lib/model/alerts/alert';
import { SeverityBadge, useRuleName } from './alert-sentence';

const RuleDialog = createLazyPart(() => import('./rule-dialog').then((loaded) => loaded.RuleDialog));

/** The rules by which snapshots, scans and the clock are judged. */
export function RuleList() {
  const t = useTranslations('alerts');
  const rules = useAlertRules();
  const names = new Map((useInstances().data ?? []).map(({ id, name }) => [id, name]));
  const ruleName = useRuleName();
  const condition = useCondition();
  const [editing, setEditing] = useState<AlertRule | null>(null);
  const [removing, setRemoving] = useState<AlertRule | null>(null);
  const columns: DataColumn<AlertRule>[] = [
    { id: 'on', header: t('rule.on'), className: 'w-px', cell: (rule) => <OnSwitch rule={rule} /> },
    {
      id: 'name',
      header: t('rule.name'),
      className: 'min-w-32 [overflow-wrap:anywhere]',
      value: ({ name, kind }) => ruleName(name, kind),
      cell: (rule) => (
        <>
          <p className="font-medium">
            <bdi>{toVisibleText(ruleName(rule.name, rule.kind))}</bdi>
          </p>
          <p className="text-muted-foreground text-xs">{condition(rule)}</p>
        </>
      ),
    },
    {
      id: 'severity',
      header: t('column.severity'),
      className: 'w-px',
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'instance',
      header: t('column.instance'),
      hide: 'max-sm:hidden',
      className: '[overflow-wrap:anywhere]',
      cell: ({ instanceId }) =>
        instanceId === null ? t('rule.everywhere') : <bdi>{toVisibleText(names.get(instanceId) ?? instanceId)}</bdi>,
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (rule) => (
        <May permission="policy.edit" instanceId={rule.instanceId}>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={t('rule.edit', { name: ruleName(rule.name, rule.kind) })}
            onClick={() => setEditing(rule)}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={t('rule.remove', { name: ruleName(rule.name, rule.kind) })}
            onClick={() => setRemoving(rule)}
          >
            <Trash2 aria-hidden />
          </Button>
        </May>
      ),
    },
  ];
  return (
    <Card>
      <Loaded query={rules} rows={5}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={BellRing}
              title={t('rule.none')}
              className="py-20"
              actions={
                <May permission="instance.manage">
                  <Button asChild variant="primary">
                    <Link href="/channels">{t('rule.toChannels')}</Link>
                  </Button>
                </May>
              }
            >
              {t('rule.noneText')}
            </EmptyState>
          ) : (
            <DataTable id="alerts-rules" label={t('show.rules')} columns={columns} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {editing ? <RuleDialog rule={editing} onClose={() => setEditing(null)} /> : null}
      {removing ? <RemoveRule rule={removing} onClose={() => setRemoving(null)} /> : null}
    </Card>
  );
}

function OnSwitch({ rule }: { rule: AlertRule }) {
  const t = useTranslations('alerts');
  const ruleName = useRuleName();
  const save = useSaveAlertRule();
  const onError = useErrorToast();
  const { id, updatedAt: _, updatedBy: __, ...body } = rule;
  const label = t('rule.switch', { name: ruleName(rule.name, rule.kind) });
  const toggle = (on: boolean) => save.mutate({ id, body: { ...body, on } }, { onError });
  return (
    <May permission="policy.edit" instanceId={rule.instanceId} instead>
      <Switch checked={rule.on} disabled={save.isPending} aria-label={label} onCheckedChange={toggle} />
    </May>
  );
}

/** Returns in words when a rule fires. */
function useCondition(): (rule: AlertRule) => string {
  const t = useTranslations('alerts.condition');
  const metrics = useTranslations('alerts.metric');
  const f = useFormat();
  return ({ kind, metric, direction, limit, hours, share, forSnapshots }) => {
    const value = metric === 'bytes' ? f.bytes(limit) : f.number(limit);
    const what =
      kind === 'threshold'
        ? t(direction, { metric: metrics(metric ?? 'keys'), limit: value })
        : kind === 'notScanned'
          ? t('notScanned', { time: f.seconds((hours ?? 0) * 3600) })
          : kind === 'stormAhead'
            ? t('stormAhead', { share: f.share(share) })
            : t(kind);
    return forSnapshots > 1 ? t('inARow', { what, count: forSnapshots }) : what;
  };
}

function RemoveRule({ rule, onClose }: { rule: AlertRule; onClose: () => void }) {
  const t = useTranslations('alerts.rule');
  const ruleName = useRuleName();
  const remove = useRemoveAlertRule();
  const onError = useErrorToast();
  return (
    <ConfirmDialog
      title={t('sure', { name: ruleName(rule.name, rule.kind) })}
      text={t('sureText')}
      confirm={t('removeIt')}
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(rule.id, { onError, onSettled: onClose })}
    />
  );
}
