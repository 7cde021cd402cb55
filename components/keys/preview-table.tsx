import { useTranslations } from 'use-intl';
import { KeyName } from '@/components/ui/key-name';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { toDisplayName } from '@/lib/model/keys/display-name';
import type { KeyPreview, PreviewBytes } from '@/lib/model/keys/live-key';
import { MAX_CELL, ValueText } from './value-views/value-text';
import { decodePreview, isValueAt, type ValueView } from './value-views/value-view';

type Head = 'place' | 'item' | 'field' | 'value' | 'member' | 'score' | 'entryId' | 'entry';
const HEADS: Record<KeyPreview['kind'], readonly Head[]> = {
  string: [],
  items: ['item'],
  pairs: ['field', 'value'],
  scored: ['member', 'score'],
  indexed: ['place', 'value'],
  entries: ['entryId', 'entry'],
  unsupported: [],
};

/**
 * A string, or the elements of a collection as a table. Values are arbitrary bytes: they are always shown as text,
 * never as markup, with invisible characters made visible.
 */
export function PreviewTable({ preview, view }: { preview: KeyPreview; view: ValueView }) {
  const t = useTranslations('keys.page');
  const heads = HEADS[preview.kind];
  // `max`: the longest text in characters; 0: it is never cut.
  const renderCell = (row: number, column: number, max: number) => {
    const text = preview.rows[row]?.[column] ?? '';
    const value = preview.bytes[row]?.[column];
    const isValue = preview.kind === 'entries' ? column === 1 : isValueAt(preview.kind, column);
    if (view === 'text' || !value || !isValue) return <KeyName name={text} max={max} wrap />;
    if (preview.kind === 'entries') return <EntryFields parts={preview.bytes[row]?.slice(1) ?? []} view={view} />;
    return <ValueText value={value} text={text} view={view} />;
  };
  if (preview.kind === 'string') {
    return (
      <TableScroll label={t('preview')} className="max-h-[30rem] overflow-y-auto p-4">
        {renderCell(0, 0, 0)}
      </TableScroll>
    );
  }
  return (
    <TableScroll label={t('preview')} className="max-h-[30rem] overflow-y-auto">
      <Table data-table="key-value">
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
          {preview.rows.map((_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: elements have no other identity than their place
            <Tr key={i}>
              <Td num className="align-top text-muted-foreground text-xs">
                {i + 1}
              </Td>
              {heads.map((head, column) => (
                <Td key={head} num={head === 'score'} className="max-w-xs align-top">
                  {renderCell(i, column, MAX_CELL)}
                </Td>
              ))}
            </Tr>
          ))}
        </TBody>
      </Table>
    </TableScroll>
  );
}

/** The fields of a stream entry in their order; a field may occur twice. */
function EntryFields({ parts, view }: { parts: PreviewBytes[]; view: Exclude<ValueView, 'text'> }) {
  const pairs = Array.from({ length: Math.floor(parts.length / 2) }, (_, i) => parts.slice(2 * i, 2 * i + 2));
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-3 gap-y-1">
      {pairs.map(([field, value], i) =>
        field && value ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields may repeat; their place is their identity
          <div key={i} className="contents">
            <dt className="text-muted-foreground">
              <KeyName name={toDisplayName(decodePreview(field)).name} max={80} wrap />
            </dt>
            <dd>
              <ValueText value={value} text={toDisplayName(decodePreview(value)).name} view={view} />
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
