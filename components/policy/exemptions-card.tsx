'use client';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { useExemptions, useRemoveExemption } from '@/components/data/use-exemptions';
import { ExemptDialog } from '@/components/rules/exempt-dialog';
import { RuleId } from '@/components/rules/rule-id';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { visibleText } from '@/components/ui/visible-text';
import type { Exemption } from '@/lib/model/policy';
import { RemoveButton } from './remove-button';

const SOON_MS = 14 * 86_400_000;

export function ExemptionsCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.exemptions');
  const f = useFormat();
  const { data, error, refetch, dataUpdatedAt } = useExemptions(instanceId);
  const remove = useRemoveExemption();
  const [editing, setEditing] = useState<Exemption | { rule?: string } | null>(null);
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <Button size="sm" onClick={() => setEditing({})}>
            <Plus aria-hidden />
            {t('add')}
          </Button>
        }
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} />
      ) : data.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
      ) : (
        <TableScroll label={t('title')}>
          <Table>
            <THead>
              <tr>
                <Th>{t('rule')}</Th>
                <Th>{t('where')}</Th>
                <Th>{t('until')}</Th>
                <Th className="max-sm:hidden">{t('owner')}</Th>
                <Th className="max-md:hidden">{t('reason')}</Th>
                <Th>
                  <span className="sr-only">{t('actions')}</span>
                </Th>
              </tr>
            </THead>
            <TBody>
              {data.map((row) => (
                <Tr key={row.id}>
                  <Td>
                    <RuleId id={row.rule} />
                  </Td>
                  <Td>
                    {row.prefix === '' ? (
                      <span className="text-muted-foreground">{t('everyKey')}</span>
                    ) : (
                      <KeyName name={row.prefix ?? row.pattern ?? ''} max={40} />
                    )}{' '}
                    {row.instanceId === null ? <Badge tone="outline">{t('everywhere')}</Badge> : null}
                  </Td>
                  <Td className="sm:whitespace-nowrap" title={f.dateTimeExact(row.expiresAt)}>
                    {row.expiresAt === null ? t('forever') : f.date(row.expiresAt)}{' '}
                    {row.expiresAt === null ? null : row.expiresAt <= dataUpdatedAt ? (
                      <Badge tone="danger">{t('over')}</Badge>
                    ) : row.expiresAt - dataUpdatedAt < SOON_MS ? (
                      <Badge tone="warning">{t('soon')}</Badge>
                    ) : null}
                  </Td>
                  <Td className="max-sm:hidden">{visibleText(row.owner)}</Td>
                  <Td className="min-w-48 max-w-md text-muted-foreground [overflow-wrap:anywhere] max-md:hidden">
                    {visibleText(row.reason)}
                  </Td>
                  <Td className="w-px whitespace-nowrap">
                    <Button
                      size="iconSm"
                      variant="ghost"
                      aria-label={t('change', { rule: row.rule })}
                      onClick={() => setEditing(row)}
                    >
                      <Pencil aria-hidden />
                    </Button>
                    <RemoveButton
                      label={t('remove', { rule: row.rule })}
                      text={t('removeText')}
                      remove={remove}
                      id={row.id}
                    />
                  </Td>
                </Tr>
              ))}
            </TBody>
          </Table>
        </TableScroll>
      )}
      {editing ? (
        <ExemptDialog instanceId={instanceId} open onOpenChange={(open) => !open && setEditing(null)} start={editing} />
      ) : null}
    </Card>
  );
}
