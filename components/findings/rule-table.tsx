'use client';
import Link from 'next/link';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { RuleId } from '@/components/rules/rule-id';
import { StandardNames } from '@/components/rules/standard-names';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { useRuleText } from '@/components/rules/use-rule-text';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { FindingsReport, RuleFinding } from '@/lib/model/findings';
import { RuleNumbers } from './rule-numbers';

/** Broken rules first, heaviest first; what could not be judged with its reason; what is kept behind a button. */
export function RuleTable(props: { report: FindingsReport; hrefOf: (rule: string) => string; instanceId: string }) {
  const t = useTranslations('findings');
  const [all, setAll] = useState(false);
  const { rules } = props.report;
  const of = (status: RuleFinding['status']) => rules.filter((rule) => rule.status === status);
  const [broken, unknown, kept] = [of('violated'), of('unknown'), of('passed')];
  return (
    <Card>
      <CardHeader
        title={t('rulesTitle', { count: broken.length })}
        description={t('rulesIntro', { kept: kept.length, unknown: unknown.length })}
        actions={
          <Button size="sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'hidePassed' : 'showPassed', { count: kept.length + unknown.length })}
          </Button>
        }
      />
      {broken.length === 0 && !all ? (
        <CardBody className="text-muted-foreground text-sm">{t('allPassed')}</CardBody>
      ) : (
        <TableScroll label={t('rulesLabel')}>
          <Table>
            <THead>
              <tr>
                <Th>{t('column.rule')}</Th>
                <Th className="max-sm:hidden">{t('column.strength')}</Th>
                <Th right>{t('column.keys')}</Th>
                <Th className="max-md:hidden">{t('column.share')}</Th>
                <Th right className="max-md:hidden">
                  {t('column.bytes')}
                </Th>
                <Th right className="max-lg:hidden">
                  {t('column.change')}
                </Th>
                <Th className="max-xl:hidden">{t('column.example')}</Th>
              </tr>
            </THead>
            <TBody>
              {[...broken, ...(all ? [...unknown, ...kept] : [])].map((finding) => (
                <Row key={finding.rule} finding={finding} href={props.hrefOf(finding.rule)} />
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
      <p className="border-t px-4 py-2.5 text-muted-foreground text-xs">
        {t.rich('checklist', {
          link: (text) => (
            <Link
              href={`/instances/${encodeURIComponent(props.instanceId)}/policy#checklist`}
              className="text-accent underline"
            >
              {text}
            </Link>
          ),
        })}
      </p>
    </Card>
  );
}

function Row({ finding, href }: { finding: RuleFinding; href: string }) {
  const rule = useRuleText()(finding.rule, finding.title);
  return (
    <Tr>
      <Td className="w-full py-2 sm:w-2/5 sm:min-w-64">
        <div className="flex items-start gap-2.5">
          <RuleId id={finding.rule} />
          <div className="min-w-0">
            <Link href={href} prefetch={false} className="font-medium hover:text-accent hover:underline">
              {rule.title}
            </Link>
            {rule.info ? <StandardNames sources={rule.info.sources} /> : null}
            <span className="mt-1 block sm:hidden">
              <StrengthBadge strength={finding.strength} />
            </span>
          </div>
        </div>
      </Td>
      <Td className="max-sm:hidden">
        <StrengthBadge strength={finding.strength} />
      </Td>
      <RuleNumbers finding={finding} />
    </Tr>
  );
}
