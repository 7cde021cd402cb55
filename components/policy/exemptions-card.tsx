import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile, Value } from '@/components/data/format/value';
import { useExemptions, useRemoveExemption } from '@/components/data/queries/policies/use-exemptions';
import type { DataColumn } from '@/components/data-table/data-column';
import { LazyExemptDialog } from '@/components/rules/lazy-policy-dialogs';
import { RuleId } from '@/components/rules/rule-id';
import { Badge } from '@/components/ui/badge';
import { KeyName } from '@/components/ui/key-name';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Exemption } from '@/lib/model/rules/policy';
import { hasWildcard } from '@/lib/model/text/glob';
import { EditableListCard } from './editable-list-card';

/** Exemptions that end within two weeks are marked. */
const SOON_MS = 14 * 86_400_000;

const listRules = ({ rules }: Exemption): string => [rules].flat().join(' ');
const listPlaces = ({ prefixes, patterns }: Exemption): string[] => [...prefixes, ...patterns];

export function ExemptionsCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.exemptions');
  const f = useFormat();
  const list = useExemptions(instanceId);
  // The time of the list, not of the rendering, so that server and browser mark the same exemptions.
  const { dataUpdatedAt } = list;
  const columns: DataColumn<Exemption>[] = [
    {
      id: 'rules',
      header: t('rules'),
      value: listRules,
      className: 'max-sm:pr-1 min-w-20',
      cell: (row) =>
        row.rules === '*' ? (
          t('allRules')
        ) : (
          <span className="flex flex-wrap gap-1">
            {row.rules.map((rule) => (
              <RuleId key={rule} id={rule} />
            ))}
          </span>
        ),
    },
    {
      id: 'where',
      header: t('where'),
      value: (row) => listPlaces(row).join(' '),
      cell: (row) => (
        <>
          {listPlaces(row).map((place) => (
            <div key={place}>
              {place === '' ? (
                <span className="text-muted-foreground">{t('everyKey')}</span>
              ) : (
                <KeyName name={place} max={40} />
              )}{' '}
              {row.patterns.includes(place) && !hasWildcard(place) ? (
                <Badge tone="outline">{t('exactly')}</Badge>
              ) : null}
            </div>
          ))}
          {row.instanceId === null ? <Badge tone="outline">{t('everywhere')}</Badge> : null}
        </>
      ),
    },
    {
      id: 'until',
      header: t('until'),
      // An exemption without an end sorts after every end; it is not unknown.
      value: (row) => row.expiresAt ?? Number.MAX_VALUE,
      className: 'sm:whitespace-nowrap',
      getTitle: (row) => f.dateTimeExact(row.expiresAt),
      cell: (row) => (
        <>
          {row.expiresAt === null ? t('forever') : <Value value={row.expiresAt} as="date" />}{' '}
          <NotInFile>
            {row.expiresAt === null ? null : row.expiresAt <= dataUpdatedAt ? (
              <Badge tone="danger">{t('over')}</Badge>
            ) : row.expiresAt - dataUpdatedAt < SOON_MS ? (
              <Badge tone="warning">{t('soon')}</Badge>
            ) : null}
          </NotInFile>
        </>
      ),
    },
    {
      id: 'owner',
      header: t('owner'),
      hide: 'max-sm:hidden',
      value: (row) => row.owner,
      cell: (row) => toVisibleText(row.owner),
    },
    {
      id: 'reason',
      header: t('reason'),
      hide: 'max-md:hidden',
      className: 'min-w-48 max-w-md text-muted-foreground [overflow-wrap:anywhere]',
      cell: (row) => toVisibleText(row.reason),
    },
  ];
  return (
    <EditableListCard
      instanceId={instanceId}
      words="policy.exemptions"
      changeLabel={(row) => t('change', { rules: listRules(row) })}
      removeLabel={(row) => t('remove', { rules: listRules(row) })}
      columns={columns}
      list={list}
      remove={useRemoveExemption()}
      dialog={(row, close) => (
        <LazyExemptDialog instanceId={instanceId} open onOpenChange={(open) => !open && close()} start={row ?? {}} />
      )}
    />
  );
}
