import { useTranslations } from 'use-intl';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { KeyPreview } from '@/lib/model/keys/live-key';

type Head = 'item' | 'field' | 'value' | 'member' | 'score' | 'entryId' | 'entry';
const HEADS: Record<KeyPreview['kind'], readonly Head[]> = {
  string: [],
  items: ['item'],
  pairs: ['field', 'value'],
  scored: ['member', 'score'],
  entries: ['entryId', 'entry'],
  unsupported: [],
};

/** Values are somebody else's bytes: always text, never markup, invisible characters made visible. */
export function PreviewTable({ preview }: { preview: KeyPreview }) {
  const t = useTranslations('keys.page');
  const heads = HEADS[preview.kind];
  if (preview.kind === 'string') {
    return (
      <TableScroll label={t('preview')} className="max-h-[30rem] overflow-y-auto p-4">
        <KeyName name={preview.rows[0]?.[0] ?? ''} max={0} wrap />
      </TableScroll>
    );
  }
  return (
    <TableScroll label={t('preview')} className="max-h-[30rem] overflow-y-auto">
      <Table>
        <THead className="sticky top-0 bg-surface">
          <tr>
            <Th right className="w-12">
              {t('index')}
            </Th>
            {heads.map((head) => (
              <Th key={head} right={head === 'score'}>
                {t(head)}
              </Th>
            ))}
          </tr>
        </THead>
        <TBody>
          {preview.rows.map((cells, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: elements have no identity but their place
            <Tr key={i}>
              <Td num className="align-top text-muted-foreground text-xs">
                {i + 1}
              </Td>
              {heads.map((head, column) => (
                <Td key={head} num={head === 'score'} className="max-w-xs align-top">
                  <KeyName name={cells[column] ?? ''} max={520} wrap />
                </Td>
              ))}
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}
