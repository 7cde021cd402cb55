'use client';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { PrefixName } from '@/components/reports/prefix-name';
import { useReportHref } from '@/components/reports/use-report-href';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { visibleText } from '@/components/ui/visible-text';
import type { RuleFindingReport } from '@/lib/model/findings';

/** Where a rule is broken: a click lists exactly these keys. */
export function PrefixTable(props: {
  instanceId: string;
  rule: string;
  report: RuleFindingReport;
  onExempt: (prefix: string) => void;
}) {
  const t = useTranslations('findings');
  const f = useFormat();
  const href = useReportHref(props.instanceId);
  const { prefixes, prefixCount } = props.report;
  return (
    <Card>
      <CardHeader
        title={t('prefixesTitle')}
        description={
          prefixCount > prefixes.length
            ? t('prefixesCut', { shown: prefixes.length, count: prefixCount })
            : t('prefixesIntro')
        }
      />
      <TableScroll label={t('prefixesTitle')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('column.prefix')}</Th>
              <Th right>{t('column.keys')}</Th>
              <Th className="max-sm:hidden">{t('column.shareOfPrefix')}</Th>
              <Th right className="max-md:hidden">
                {t('column.bytes')}
              </Th>
              <Th className="max-lg:hidden">{t('column.example')}</Th>
              <Th className="max-lg:hidden">{t('column.team')}</Th>
              <Th>
                <span className="sr-only">{t('column.actions')}</span>
              </Th>
            </tr>
          </THead>
          <TBody>
            {prefixes.map((row) => (
              <Tr key={row.path}>
                <Td className="max-w-72">
                  <PrefixName prefix={row.path} href={href('keys', { rule: [props.rule], template: row.path })} />
                </Td>
                <Td num>
                  <Value value={row.keys} as="compact" />
                </Td>
                <Td className="max-sm:hidden">
                  <span className="flex items-center gap-2">
                    <span className="w-16 max-2xl:hidden">
                      <ShareBar share={row.shareOfPrefix} />
                    </span>
                    <span className="num w-12 text-right text-muted-foreground text-xs">
                      {f.share(row.shareOfPrefix)}
                    </span>
                  </span>
                </Td>
                <Td num className="max-md:hidden">
                  <Value value={row.bytes} as="bytes" />
                </Td>
                <Td className="max-w-64 py-1.5 max-lg:hidden">
                  {row.example ? (
                    <>
                      <KeyName name={row.example.name} max={30} />
                      {row.example.suggested ? (
                        <span className="flex items-center gap-1 text-muted-foreground text-xs">
                          {t('suggested')} <KeyName name={row.example.suggested} max={24} copy />
                        </span>
                      ) : null}
                    </>
                  ) : null}
                </Td>
                <Td className="max-w-28 truncate max-lg:hidden" title={row.owner ?? undefined}>
                  {row.owner === null ? <span className="text-muted-foreground">—</span> : visibleText(row.owner)}
                </Td>
                <Td className="w-px whitespace-nowrap">
                  {row.path === '' || row.path.includes('{') ? null : (
                    <Button size="xs" variant="ghost" onClick={() => props.onExempt(row.path)}>
                      {t('exempt')}
                    </Button>
                  )}
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
