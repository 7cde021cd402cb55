'use client';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Card, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { visibleText } from '@/components/ui/visible-text';
import type { OwnerFindings } from '@/lib/model/findings';

/** Whose keys they are; a click narrows the page to that team. */
export function OwnerTable({ owners, onChoose }: { owners: OwnerFindings[]; onChoose: (owner: string) => void }) {
  const t = useTranslations('findings');
  const f = useFormat();
  return (
    <Card>
      <CardHeader title={t('ownersTitle')} description={t('ownersIntro')} />
      <TableScroll label={t('ownersTitle')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('column.team')}</Th>
              <Th right>{t('column.score')}</Th>
              <Th right>{t('column.keys')}</Th>
              <Th right>{t('column.bytes')}</Th>
              <Th right>{t('headline.mandatory')}</Th>
              <Th right className="max-md:hidden">
                {t('headline.recommended')}
              </Th>
            </tr>
          </THead>
          <TBody>
            {owners.map((owner) => (
              <Tr key={owner.team ?? ''}>
                <Td>
                  <button
                    type="button"
                    className="rounded text-left font-medium hover:text-accent hover:underline"
                    onClick={() => onChoose(owner.team ?? '-')}
                  >
                    {owner.team === null ? t('scope.nobody') : visibleText(owner.team)}
                  </button>
                </Td>
                <Td num>{f.decimal(owner.score, 1)}</Td>
                <Td num>
                  <Value value={owner.keys} as="compact" />
                </Td>
                <Td num>
                  <Value value={owner.bytes} as="bytes" />
                </Td>
                <Td num>{f.shareOf(owner.mandatory.keys, owner.keys)}</Td>
                <Td num className="max-md:hidden">
                  {f.shareOf(owner.recommended.keys, owner.keys)}
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
