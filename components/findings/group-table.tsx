import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { translateIfKnown } from '@/components/data/translate-if-known';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { PrefixName } from '@/components/reports/prefix-name';
import { useReportHref } from '@/components/reports/use-report-href';
import type { ExemptedPlaces } from '@/components/rules/path-exemption';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { toVisibleText } from '@/components/ui/visible-text';
import { getFigureKind } from '@/lib/model/rules/figure-kinds';
import type { GroupFinding } from '@/lib/model/rules/findings';
import { ExemptButton } from './exempt-button';

/** The violating groups of a group rule, with their figures in words. */
export function GroupTable(props: {
  instanceId: string;
  /** The groups of this page. */
  groups: GroupFinding[];
  /** The number of groups on all pages; null: unknown. */
  total: number | null;
  onExempt: (start: ExemptedPlaces) => void;
  pager: ReactNode;
}) {
  const t = useTranslations('findings');
  const mayExempt = useMay('policy.edit', props.instanceId);
  const f = useFormat();
  const href = useReportHref(props.instanceId);
  const hasExamples = props.groups.some((group) => group.example !== null);
  const formatFigure = (name: string, figure: number | string) => {
    if (typeof figure === 'string') return toVisibleText(figure);
    const kind = getFigureKind(name);
    if (kind === 'share') return f.share(figure);
    if (kind === 'bytes') return f.bytes(figure);
    if (kind === 'moment') return f.dateTimeExact(figure);
    return Number.isInteger(figure) || Math.abs(figure) >= 100 ? f.number(figure) : f.decimal(figure, 1);
  };
  const formatFigures = (group: GroupFinding) =>
    Object.entries(group.figures)
      .map(([name, figure]) => translateIfKnown(t, `figures.${name}`, { value: formatFigure(name, figure) }))
      .filter((text) => text !== null)
      .join(' · ');
  const columns: DataColumn<GroupFinding>[] = [
    {
      id: 'group',
      header: t('column.group'),
      value: (group) => group.subject,
      className: 'max-w-64',
      cell: (group) => (
        <>
          <PrefixName
            prefix={group.subject}
            href={href('keys', group.tag !== null ? { tag: group.tag } : { template: group.path ?? group.subject })}
          />
          {group.minute === null ? null : (
            <span className="num block text-muted-foreground text-xs">{f.dateTime(group.minute)}</span>
          )}
          <span className="block text-muted-foreground text-xs sm:hidden">{formatFigures(group)}</span>
          {group.exempt ? <Badge>{t('headline.exempt')}</Badge> : null}
        </>
      ),
    },
    createFigureColumn('keys', t('column.keys'), 'compact', (group) => group.keys),
    createFigureColumn('bytes', t('column.bytes'), 'bytes', (group) => group.bytes, { hide: 'max-sm:hidden' }),
    {
      id: 'figures',
      header: t('column.figures'),
      hide: 'max-sm:hidden',
      className: 'min-w-48 text-sm',
      cell: formatFigures,
    },
    ...(hasExamples
      ? [
          {
            id: 'example',
            header: t('column.example'),
            hide: 'max-lg:hidden',
            className: 'max-w-64',
            cell: (group: GroupFinding) => (group.example ? <KeyName name={group.example.name} max={30} copy /> : null),
          },
        ]
      : []),
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (group) =>
        mayExempt && !group.exempt ? <ExemptButton path={group.path} end={false} onExempt={props.onExempt} /> : null,
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('groupsTitle')}
        description={t('groupsIntro', { count: props.total ?? props.groups.length })}
      />
      <DataTable
        label={t('groupsTitle')}
        columns={columns}
        rows={props.groups}
        rowId={(group) => `${group.subject} ${group.minute ?? ''}`}
      />
      {props.pager}
    </Card>
  );
}
