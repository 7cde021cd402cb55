import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { comparedKeysUrl, useComparedKeys } from '@/components/data/queries/use-comparison';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { FileMenu } from '@/components/reports/files/file-menu';
import { LengthCell } from '@/components/reports/key-cells';
import { PAGE_SIZE } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { useKeyHref } from '@/components/reports/use-report-href';
import { Button } from '@/components/ui/button';
import { CardBody } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { KeyName } from '@/components/ui/key-name';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { TypeBadge } from '@/components/ui/type-badge';
import type { ComparedKey, Comparison } from '@/lib/model/comparison/comparison';
import { Difference } from './difference';
import type { CompareParams } from './use-compare-params';

/** The keys of one change: those with the largest difference, or all in the order of names. */
export function ComparedKeyTable(props: {
  instanceId: string;
  found: Comparison;
  compared: CompareParams;
  big: boolean;
}) {
  const t = useTranslations('compare');
  const f = useFormat();
  const files = useTranslations('filters.export');
  const pager = useTranslations('filters.pager');
  const { found, compared, big, instanceId } = props;
  const { params, query, keyChange: change, set } = compared;
  const id = found.now.snapshotId;
  const asked = { ...query, with: found.before.snapshotId, change, ...(big && { big }) };
  const pages = usePages(id, JSON.stringify(asked));
  // The largest are known of all keys only; bigkeys are few, so they are always listed.
  const isList = big || params.all;
  const answer = useComparedKeys(
    id,
    { ...asked, limit: PAGE_SIZE, cursor: pages.cursor },
    isList && found.keys !== null,
  );
  const columns = useColumns(instanceId, found);
  if (found.keys === null)
    return (
      <CardBody className="text-muted-foreground text-sm" role="status">
        {t('counting')}
      </CardBody>
    );
  const counted = found.keys.keys[change];
  const count = big ? found.keys.bigkeys[change] : counted.keys;
  const data = answer.data?.waiting ? undefined : answer.data;
  const rows = isList ? data?.rows : found.keys.largest[change];
  const nextCursor = data?.nextCursor ?? null;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b px-2.5 py-1.5">
        <span className="num flex-1 px-1.5 text-muted-foreground text-xs">
          {big || count === 0 ? null : t(`keysSum.${change}`, { count, bytes: f.bytes(counted.bytes) })}
        </span>
        {big || count === 0 ? null : (
          <Segmented
            size="sm"
            label={t('order')}
            value={params.all ? 'name' : 'largest'}
            onValueChange={(next) => set({ all: next === 'name' ? true : null })}
            options={[
              { value: 'largest', label: t('largest') },
              { value: 'name', label: t('byName') },
            ]}
          />
        )}
        {count === 0 ? null : (
          <FileMenu
            label={files('tablesLabel')}
            hint={t('filesHint')}
            files={[{ name: '', href: (format) => comparedKeysUrl(id, { ...asked, format }) }]}
          />
        )}
      </div>
      {count === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('nothing')}</CardBody>
      ) : isList && answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : rows === undefined ? (
        <SkeletonRows rows={8} />
      ) : rows.length === 0 && nextCursor === null ? (
        // Differences of keys whose memory is unknown have no size.
        <CardBody className="text-muted-foreground text-sm">{t('noLargest')}</CardBody>
      ) : (
        <DataTable
          id="compared-keys"
          label={t(big ? 'list.bigkeys' : 'list.keys')}
          columns={columns}
          rows={rows}
          rowId={(row, index) => `${row.db}:${row.k ?? `#${index}`}`}
        />
      )}
      {isList && (pages.page > 0 || nextCursor !== null) ? (
        <nav aria-label={pager('label')} className="flex items-center justify-end gap-1.5 border-t px-4 py-2">
          {rows && rows.length < PAGE_SIZE && nextCursor !== null ? (
            <span className="flex-1 text-muted-foreground text-xs">{t('shortPage')}</span>
          ) : null}
          <Button size="sm" disabled={pages.page === 0} onClick={pages.previous}>
            {pager('previous')}
          </Button>
          <Button
            size="sm"
            disabled={nextCursor === null}
            onClick={() => nextCursor !== null && pages.next(nextCursor)}
          >
            {pager('next')}
          </Button>
        </nav>
      ) : null}
    </>
  );
}

function useColumns(instanceId: string, found: Comparison): DataColumn<ComparedKey>[] {
  const t = useTranslations('compare');
  const keyHref = useKeyHref(instanceId);
  return [
    {
      id: 'name',
      header: t('key'),
      className: 'w-full max-w-40 sm:max-w-96',
      cell: ({ k, name, db, now }) =>
        // A key that is only in a snapshot of another instance has no page here.
        k === null || (now === null && found.before.instanceId !== instanceId) ? (
          <KeyName name={name} max={64} />
        ) : (
          <Link href={keyHref(k, db)} className="hover:text-accent hover:underline">
            <KeyName name={name} max={64} />
          </Link>
        ),
    },
    { id: 'db', header: t('db'), num: true, hide: 'max-lg:hidden', cell: ({ db }) => <Value value={db} as="number" /> },
    {
      id: 'type',
      header: t('type'),
      hide: 'max-sm:hidden',
      cell: ({ now, before }) =>
        now && before && now.type !== before.type ? (
          <span className="inline-flex items-center gap-1">
            <TypeBadge type={before.type} /> → <TypeBadge type={now.type} />
          </span>
        ) : (
          <TypeBadge type={(now ?? before)?.type ?? null} />
        ),
    },
    {
      id: 'length',
      header: t('length'),
      num: true,
      hide: 'max-md:hidden',
      cell: ({ now, before }) => <LengthCell row={(now ?? before)!} />,
    },
    {
      id: 'bytes',
      header: t('figure.bytes'),
      num: true,
      cell: ({ now, before }) => <Value value={(now ?? before)!.bytes} as="bytes" />,
    },
    {
      id: 'difference',
      header: t('difference'),
      num: true,
      cell: ({ now, before }) => <Difference now={now ? now.bytes : 0} before={before ? before.bytes : 0} as="bytes" />,
    },
  ];
}
