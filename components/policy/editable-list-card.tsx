import { Pencil, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { RemoveButton, type Removing } from './remove-button';

/** A short list that people edit: entries are added and changed in a dialog, and deleted after a confirmation. */
export function EditableListCard<R extends { id: string }>(props: {
  /** Namespace of the messages: title, intro, add, none, actions, removeText. */
  words: 'policy.exemptions' | 'policy.owners';
  /** The instance of the list: people who may edit its policy may edit the entries. */
  instanceId: string;
  changeLabel: (row: R) => string;
  removeLabel: (row: R) => string;
  columns: readonly DataColumn<R>[];
  list: { data: R[] | undefined; error: unknown; refetch: () => unknown };
  remove: Removing;
  /** Renders the dialog for an entry; null: a new entry. */
  dialog: (start: R | null, close: () => void) => ReactNode;
}) {
  const t = useTranslations(props.words);
  const mayEdit = useMay('policy.edit', props.instanceId);
  const [editing, setEditing] = useState<{ row: R | null } | null>(null);
  const actions: DataColumn<R> = {
    id: 'actions',
    header: t('actions'),
    quiet: true,
    className: 'w-px whitespace-nowrap',
    cell: (row) => (
      <>
        <Button size="iconSm" variant="ghost" aria-label={props.changeLabel(row)} onClick={() => setEditing({ row })}>
          <Pencil aria-hidden />
        </Button>
        <RemoveButton label={props.removeLabel(row)} text={t('removeText')} remove={props.remove} id={row.id} />
      </>
    ),
  };
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <May permission="policy.edit" instanceId={props.instanceId} reason>
            <Button size="sm" onClick={() => setEditing({ row: null })}>
              <Plus aria-hidden />
              {t('add')}
            </Button>
          </May>
        }
      />
      <Loaded query={props.list} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
          ) : (
            <DataTable
              id={props.words.replace('policy.', '')}
              label={t('title')}
              columns={mayEdit ? [...props.columns, actions] : props.columns}
              rows={rows}
              rowId={({ id }) => id}
            />
          )
        }
      </Loaded>
      {editing ? props.dialog(editing.row, () => setEditing(null)) : null}
    </Card>
  );
}
