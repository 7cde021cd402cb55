import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import { Loaded } from '@/components/data/loaded';
import { comparedGroupsUrl, useComparedGroups } from '@/components/data/queries/use-comparison';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { FileMenu } from '@/components/reports/files/file-menu';
import { Pager } from '@/components/reports/pager';
import { PAGE_SIZE } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { CardBody } from '@/components/ui/card';
import { KeyName } from '@/components/ui/key-name';
import type { ComparedGroup, Comparison } from '@/lib/model/comparison/comparison';
import type { Grouping } from '@/lib/model/comparison/comparison-words';
import { ChangeBadge } from './change-badge';
import { toGroupsQuery } from './compare-params';
import { Difference } from './difference';
import type { CompareParams } from './use-compare-params';

/** Prefixes or templates that differ. A name leads to what differs below it. */
export function ComparedGroupTable(props: { found: Comparison; compared: CompareParams; by: Grouping }) {
  const t = useTranslations('compare');
  const files = useTranslations('filters.export');
  const { by, found, compared } = props;
  const { params, query, set } = compared;
  const id = found.now.snapshotId;
  const asked = toGroupsQuery(query, found.before.snapshotId, by, params.change);
  const pages = usePages(id, JSON.stringify(asked));
  const answer = useComparedGroups(id, { ...asked, limit: PAGE_SIZE, cursor: pages.cursor });
  const open = (name: string) =>
    set({ prefix: null, template: name, change: params.change, list: by === 'prefix' ? 'templates' : 'keys' });
  const figure = (
    name: 'keys' | 'bytes' | 'noExpiry' | 'bigkeys',
    as: 'number' | 'bytes',
    hide?: string,
  ): DataColumn<ComparedGroup>[] => [
    {
      id: name,
      header: t(`figure.${name}`),
      num: true,
      cell: (row) => <Value value={row.now ? row.now[name] : 0} as={as} />,
      ...(hide && { hide }),
    },
    {
      id: `${name}Difference`,
      header: t('difference'),
      num: true,
      ...(name === 'bytes' || name === 'keys' ? {} : { hide: 'max-lg:hidden' }),
      cell: (row) => (
        <Difference
          now={row.now ? row.now[name] : 0}
          before={row.before ? row.before[name] : 0}
          as={as}
          bad={name === 'noExpiry' || name === 'bigkeys'}
        />
      ),
    },
  ];
  const columns: DataColumn<ComparedGroup>[] = [
    {
      id: 'name',
      header: t(by === 'prefix' ? 'prefix' : 'template'),
      className: 'max-w-40 sm:max-w-80',
      cell: ({ name }) => <GroupName name={name} onOpen={() => open(name)} />,
    },
    {
      id: 'change',
      header: t('changeColumn'),
      hide: 'max-sm:hidden',
      cell: ({ change }) => <ChangeBadge change={change} />,
    },
    ...figure('bytes', 'bytes', 'max-sm:hidden'),
    ...figure('keys', 'number', 'max-md:hidden'),
    ...figure('noExpiry', 'number', 'max-xl:hidden'),
    ...figure('bigkeys', 'number', 'max-xl:hidden'),
  ];
  return (
    <Loaded query={answer} rows={8}>
      {({ rows, total, nextCursor }) =>
        rows.length === 0 ? (
          <CardBody className="text-muted-foreground text-sm">{t('nothing')}</CardBody>
        ) : (
          <>
            <div className="flex items-center gap-2 border-b px-2.5 py-1.5">
              <span className="num flex-1 px-1.5 text-muted-foreground text-xs">
                {t(`groupsSum.${by}`, { count: total })}
              </span>
              <FileMenu
                label={files('tablesLabel')}
                hint={t('filesHint')}
                files={[{ name: '', href: (format) => comparedGroupsUrl(id, { ...asked, format }) }]}
              />
            </div>
            <DataTable
              id="compared-groups"
              label={t(by === 'prefix' ? 'list.prefixes' : 'list.templates')}
              columns={columns}
              rows={rows}
              rowId={({ name }) => name}
            />
            <Pager pages={pages} pageSize={PAGE_SIZE} shown={rows.length} total={total} nextCursor={nextCursor} jumps />
          </>
        )
      }
    </Loaded>
  );
}

/** Names without a delimiter have no prefix, and what was cut together has no path of its own. */
function GroupName({ name, onOpen }: { name: string; onOpen: () => void }) {
  const filters = useTranslations('filters');
  if (name === '') return <span className="text-muted-foreground">{filters('noPrefix')}</span>;
  if (name.endsWith('…')) return <KeyName name={name} max={48} />;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="max-w-full truncate rounded text-left hover:text-accent hover:underline"
    >
      <KeyName name={name} max={48} />
    </button>
  );
}
