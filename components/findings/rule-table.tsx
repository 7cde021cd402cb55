import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { useHere } from '@/components/layout/navigation/use-here';
import { RuleId } from '@/components/rules/rule-id';
import { StandardChips, StandardLegend } from '@/components/rules/standards';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { useRuleText } from '@/components/rules/use-rule-text';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import type { FindingsReport, RuleFinding } from '@/lib/model/rules/findings';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import { useRuleFilters } from './use-rule-filters';
import { useRuleNumberColumns } from './use-rule-number-columns';

/**
 * Violated rules first, sorted by the score they would gain. Passed and not evaluated rules are shown after a button is
 * pressed.
 */
export function RuleTable(props: { report: FindingsReport; buildHref: (rule: string) => string; instanceId: string }) {
  const t = useTranslations('findings');
  const { instanceHref } = useHere();
  const ruleText = useRuleText();
  const [all, setAll] = useState(false);
  const columns: DataColumn<RuleFinding>[] = [
    {
      id: 'rule',
      header: t('column.rule'),
      value: (finding) => finding.rule,
      // Wide enough for a long title on two lines, next to all columns that fit at a width of 1280 px.
      className: 'w-full py-1.5 max-sm:pr-2 sm:min-w-64 xl:min-w-84',
      cell: (finding) => {
        const rule = ruleText(finding.rule, finding.title);
        return (
          // On a phone id and strength are above the title, at the same position in every row.
          <div className="flex items-start gap-x-2.5 gap-y-1 max-sm:flex-wrap">
            <RuleId id={finding.rule} />
            <div className="sm:hidden">
              <StrengthBadge strength={finding.strength} />
            </div>
            <div className="min-w-0 max-sm:basis-full">
              <Link href={props.buildHref(finding.rule)} className="mr-2 font-medium hover:text-accent hover:underline">
                {rule.title}
              </Link>
              {/* The chips follow the last word: on a line of their own they would make a third line. */}
              {rule.info ? (
                <div className="inline-block align-middle">
                  <StandardChips sources={rule.info.sources} />
                </div>
              ) : null}
            </div>
          </div>
        );
      },
    },
    {
      id: 'strength',
      header: t('column.strength'),
      hide: 'max-sm:hidden',
      // The strongest come first.
      value: (finding) => STRENGTHS.indexOf(finding.strength),
      cell: (finding) => <StrengthBadge strength={finding.strength} />,
    },
    ...useRuleNumberColumns(),
  ];
  const { filters, rules } = useRuleFilters(props.report.rules);
  const filterByStatus = (status: RuleFinding['status']) => rules.filter((rule) => rule.status === status);
  const [violated, unknown, passed] = [filterByStatus('violated'), filterByStatus('unknown'), filterByStatus('passed')];
  return (
    <Card>
      <CardHeader
        title={t('rulesTitle', { count: violated.length })}
        description={t('rulesIntro', { passed: passed.length, unknown: unknown.length })}
        actions={
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'hidePassed' : 'showPassed', { count: passed.length + unknown.length })}
          </Button>
        }
      />
      {filters}
      {violated.length === 0 && !all ? (
        <CardBody className="text-muted-foreground text-sm">{t('allPassed')}</CardBody>
      ) : (
        <DataTable
          label={t('rulesLabel')}
          columns={columns}
          rows={[...violated, ...(all ? [...unknown, ...passed] : [])]}
          rowId={(finding) => finding.rule}
        />
      )}
      <StandardLegend chips className="border-t px-4 pt-2.5" />
      <p className="px-4 pt-1.5 pb-2.5 text-muted-foreground text-xs">
        {t.rich('checklist', {
          link: (text) => (
            <Link href={`${instanceHref(props.instanceId, '/policy')}#checklist`} className="text-accent underline">
              {text}
            </Link>
          ),
        })}
      </p>
    </Card>
  );
}
