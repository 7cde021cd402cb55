import { BellOff } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useAlertRules, useEndSilence, useSilences } from '@/components/data/queries/alerts/use-alerts';
import { useInstances } from '@/components/data/queries/use-instances';
import { useErrorToast } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Silence } from '@/lib/model/alerts/alert';
import { useRuleName } from './alert-sentence';

/** What is silenced, why, by whom and until when. */
export function SilenceList() {
  const t = useTranslations('alerts');
  const f = useFormat();
  const silences = useSilences();
  const matched = useMatched();
  const columns: DataColumn<Silence>[] = [
    {
      id: 'what',
      header: t('silence.what'),
      className: 'min-w-32 [overflow-wrap:anywhere]',
      cell: (silence) => <bdi>{matched(silence)}</bdi>,
    },
    {
      id: 'reason',
      header: t('silence.reason'),
      className: 'min-w-28 [overflow-wrap:anywhere]',
      cell: ({ reason }) => <bdi>{toVisibleText(reason)}</bdi>,
    },
    {
      id: 'author',
      header: t('silence.author'),
      hide: 'max-sm:hidden',
      className: '[overflow-wrap:anywhere]',
      value: ({ author }) => author,
      cell: ({ author }) => <bdi>{toVisibleText(author)}</bdi>,
    },
    {
      id: 'ends',
      header: t('silence.endsAt'),
      value: ({ endsAt }) => endsAt,
      className: 'whitespace-nowrap max-sm:whitespace-normal',
      cell: ({ endsAt }) => f.dateTime(endsAt),
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (silence) => (
        <May permission="policy.edit" instanceId={silence.instanceId}>
          <EndSilence silence={silence} />
        </May>
      ),
    },
  ];
  return (
    <Card>
      <Loaded query={silences} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={BellOff} title={t('silence.none')} className="py-20">
              {t('silence.noneText')}
            </EmptyState>
          ) : (
            <DataTable
              id="alerts-silences"
              label={t('show.silences')}
              columns={columns}
              rows={rows}
              rowId={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Returns in words which alerts a silence matches. */
function useMatched(): (silence: Silence) => string {
  const t = useTranslations('alerts.silence');
  const names = new Map((useInstances().data ?? []).map(({ id, name }) => [id, name]));
  const rules = new Map((useAlertRules().data ?? []).map((rule) => [rule.id, rule]));
  const ruleName = useRuleName();
  return ({ ruleId, instanceId, team, subject }) => {
    const rule = ruleId === null ? undefined : rules.get(ruleId);
    return [
      ...(ruleId === null ? [] : [rule ? ruleName(rule.name, rule.kind) : t('formerRule')]),
      ...(instanceId === null ? [] : [names.get(instanceId) ?? instanceId]),
      ...(team === null ? [] : [t('ofTeam', { team })]),
      ...(subject === null ? [] : [`${subject}…`]),
    ]
      .map(toVisibleText)
      .join(' · ');
  };
}

function EndSilence({ silence }: { silence: Silence }) {
  const t = useTranslations('alerts.silence');
  const end = useEndSilence();
  const onError = useErrorToast();
  return (
    <Button size="sm" busy={end.isPending} onClick={() => end.mutate(silence.id, { onError })}>
      {t('end')}
    </Button>
  );
}
