'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { findExtraPrefix } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { ReportPage } from '@/components/reports/report-page';
import { toTreeQuery } from '@/components/reports/report-params';
import { usePages } from '@/components/reports/use-pages';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton';
import type { TreeReport } from '@/lib/model/reports/reports';
import { createActiveNode } from './active/active-node';
import { useStable } from './active/use-stable';
import { useNodeSelection } from './selection/use-node-selection';
import type { ShownNode } from './tree-item';
import { TreeMapCard } from './tree-map-card';
import { hasValues } from './tree-path';
import { TreeTable } from './tree-table';
import { TreeToolbar } from './tree-toolbar';
import { type MapWidth, useMapWidth } from './use-map-width';
import { useNodeHref } from './use-node-href';
import { useTreeColumns } from './use-tree-columns';
import { useTreeState } from './use-tree-state';

export function TreePage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('tree');
  const state = useTreeState();
  const { reportFilter } = useFilter();
  const query = toTreeQuery(state);
  const { snapshotId } = useCurrentSnapshot(instanceId);
  const pages = usePages(snapshotId, JSON.stringify([reportFilter, query]));
  return (
    <ReportPage
      instanceId={instanceId}
      name="tree"
      title={t('title')}
      intro={t('intro')}
      prefixFixed
      query={{ ...query, cursor: pages.cursor }}
      isEmpty={(report) => report.keys === 0 && state.path === '' && !state.match}
      skeleton={<TreeSkeleton />}
    >
      {({ report, snapshotId, stale }) => (
        <Level instanceId={instanceId} snapshotId={snapshotId} report={report} stale={stale} pages={pages} />
      )}
    </ReportPage>
  );
}

interface LevelProps {
  instanceId: string;
  snapshotId: string;
  report: TreeReport;
  stale: boolean;
  pages: ReturnType<typeof usePages>;
}

/** The table takes the width that the treemap leaves; on narrower screens the treemap is below it. */
const GRID: Record<MapWidth, string> = {
  hidden: '',
  narrow: 'xl:grid-cols-[minmax(0,1fr)_17rem]',
  wide: 'xl:grid-cols-[minmax(0,17fr)_minmax(0,10fr)]',
};

function Level({ instanceId, snapshotId, report, stale, pages }: LevelProps) {
  const [mapWidth] = useMapWidth();
  const state = useTreeState();
  const href = useNodeHref(instanceId);
  // Without MEMORY USAGE there are no sizes to compare.
  const figures = useTreeColumns(report, report.bytes > 0 ? state.size : 'keys');
  const [active] = useState(createActiveNode);
  const { filter } = useFilter();
  const { prefix: _, template: __, ...others } = filter;
  const ticked = useNodeSelection(
    snapshotId,
    report.delimiter,
    JSON.stringify([
      snapshotId,
      state.delimiter,
      state.fold,
      findExtraPrefix(filter, report.delimiter),
      others,
      hasValues(state.path, state.delimiter),
    ]),
  );
  const openPart = useStable((path: string) => {
    active.clear();
    if (path.endsWith(report.delimiter)) state.go(path);
    else href.open('keys', { path, branchKeys: 0 });
  });
  const open = useStable((node: ShownNode) => {
    active.clear();
    if (node.branchKeys > 0) state.go(node.path);
    else href.open('keys', node);
  });
  return (
    <div className="flex flex-col gap-3">
      <TreeToolbar state={state} />
      <div className={cn('grid gap-3', GRID[mapWidth])}>
        <EachCard>
          <TreeTable
            // On another level or another page all rows start closed.
            key={`${state.delimiter} ${state.fold} ${state.match} ${state.path} ${report.offset}`}
            instanceId={instanceId}
            snapshotId={snapshotId}
            figures={figures}
            report={report}
            isWhole={state.path === '' && !state.match && Object.keys(filter).length === 0}
            stale={stale}
            state={state}
            active={active}
            onOpen={open}
            pages={pages}
            ticked={ticked}
          />
          <TreeMapCard
            // On narrower screens the map is below the table, where it takes no room from it.
            className={mapWidth === 'hidden' ? 'xl:hidden' : undefined}
            report={report}
            state={state}
            active={active}
            onOpen={open}
            onPart={openPart}
            onRest={() => (report.nextCursor === null ? pages.first() : pages.next(report.nextCursor))}
          />
        </EachCard>
      </div>
    </div>
  );
}

function TreeSkeleton() {
  const [mapWidth] = useMapWidth();
  return (
    <div className={cn('grid gap-3', GRID[mapWidth])}>
      <Card>
        <SkeletonRows rows={14} />
      </Card>
      <Card className={cn('p-3', mapWidth === 'hidden' && 'xl:hidden')}>
        <Skeleton className="h-72 w-full xl:h-[34rem]" />
      </Card>
    </div>
  );
}
