import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useHere } from '@/components/layout/navigation/use-here';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { RuleId } from '@/components/rules/rule-id';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { useRuleText } from '@/components/rules/use-rule-text';
import { CardBody } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import type { Comparison, RuleChange } from '@/lib/model/comparison/comparison';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';

/** Key rules with new, fixed or gone findings. */
export function RuleChangeTable({ instanceId, found }: { instanceId: string; found: Comparison }) {
  const t = useTranslations('compare');
  const ruleText = useRuleText();
  const { instanceHref } = useHere();
  if (found.rules === null)
    return (
      <CardBody className="text-muted-foreground text-sm" role="status">
        {t('counting')}
      </CardBody>
    );
  if (found.rules.length === 0) return <CardBody className="text-muted-foreground text-sm">{t('noFindings')}</CardBody>;
  const columns: DataColumn<RuleChange>[] = [
    {
      id: 'rule',
      header: t('rule'),
      value: ({ rule }) => rule,
      className: 'w-full',
      cell: ({ rule, title }) => (
        <span className="flex items-start gap-2.5">
          <RuleId id={rule} />
          <Link
            href={instanceHref(instanceId, `/findings/${encodeURIComponent(rule)}`)}
            className="font-medium hover:text-accent hover:underline"
          >
            {ruleText(rule, title).title}
          </Link>
        </span>
      ),
    },
    {
      id: 'strength',
      header: t('strength'),
      hide: 'max-sm:hidden',
      value: ({ strength }) => STRENGTHS.indexOf(strength),
      cell: ({ strength }) => <StrengthBadge strength={strength} />,
    },
    {
      ...createFigureColumn<RuleChange>('new', t('newKeys'), 'number', ({ newKeys }) => newKeys),
      cell: ({ newKeys }) => (
        <Value value={newKeys} as="number" className={newKeys > 0 ? 'text-danger' : 'text-muted-foreground'} />
      ),
    },
    {
      ...createFigureColumn<RuleChange>('fixed', t('fixedKeys'), 'number', ({ fixedKeys }) => fixedKeys),
      cell: ({ fixedKeys }) => (
        <Value value={fixedKeys} as="number" className={fixedKeys > 0 ? 'text-success' : 'text-muted-foreground'} />
      ),
    },
    createFigureColumn('gone', t('goneKeys'), 'number', ({ goneKeys }) => goneKeys),
    {
      id: 'example',
      header: t('example'),
      hide: 'max-lg:hidden',
      className: 'max-w-56',
      cell: ({ examples }) => (examples[0] === undefined ? null : <KeyName name={examples[0]} max={32} />),
    },
  ];
  return (
    <>
      <div className="flex items-center gap-2 border-b px-2.5 py-1.5">
        <span className="flex-1 px-1.5 text-muted-foreground text-xs">{t('findingsIntro')}</span>
        <OneTableMenu id="compared-rules" name={t('list.findings')} />
      </div>
      <DataTable
        id="compared-rules"
        label={t('list.findings')}
        columns={columns}
        rows={found.rules}
        rowId={({ rule }) => rule}
      />
    </>
  );
}
