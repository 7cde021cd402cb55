'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import { ReportPage } from '@/components/reports/report-page';
import { treeQuery } from '@/components/reports/report-params';
import { Card } from '@/components/ui/card';
import { Skeleton, SkeletonRows } from '@/components/ui/skeleton';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { TreeMapCard } from './tree-map-card';
import { TreeTable } from './tree-table';
import { TreeToolbar } from './tree-toolbar';
import { useNodeHref } from './use-node-href';
import { useTreeColumns } from './use-tree-columns';
import { useTreeState } from './use-tree-state';

export function TreePage({ instanceId }: { instanceId: string }) {
  const t = useTranslations('tree');
  const state = useTreeState();
  return (
    <ReportPage
      instanceId={instanceId}
      name="tree"
      title={t('title')}
      intro={t('intro')}
      prefixFixed
      query={treeQuery(state)}
      isEmpty={(report) => report.keys === 0 && state.path === ''}
      skeleton={<TreeSkeleton />}
    >
      {({ report, snapshotId }) => <Level instanceId={instanceId} snapshotId={snapshotId} report={report} />}
    </ReportPage>
  );
}

function Level({ instanceId, snapshotId, report }: { instanceId: string; snapshotId: string; report: TreeReport }) {
  const state = useTreeState();
  const href = useNodeHref(instanceId);
  // Without MEMORY USAGE there are no sizes to compare.
  const figures = useTreeColumns(report, report.bytes > 0 ? state.size : 'keys');
  const [activePath, setActivePath] = useState<string | null>(null);
  const open = (node: TreeNode) => {
    setActivePath(null);
    if (node.branchKeys > 0) state.go(node.path);
    else href.open('keys', node);
  };
  return (
    <div className="flex flex-col gap-3">
      <TreeToolbar state={state} report={report}>
        <ColumnChooser table="tree" columns={figures} />
      </TreeToolbar>
      <div className="grid gap-3 xl:grid-cols-[minmax(0,10fr)_minmax(0,17fr)]">
        <TreeMapCard report={report} state={state} activePath={activePath} onActive={setActivePath} onOpen={open} />
        <TreeTable
          // Another level begins with every row closed.
          key={`${state.delimiter} ${state.fold} ${state.path}`}
          instanceId={instanceId}
          snapshotId={snapshotId}
          figures={figures}
          report={report}
          state={state}
          activePath={activePath}
          onActive={setActivePath}
          onOpen={open}
        />
      </div>
    </div>
  );
}

function TreeSkeleton() {
  return (
    <div className="grid gap-3 xl:grid-cols-[minmax(0,10fr)_minmax(0,17fr)]">
      <Card className="p-3">
        <Skeleton className="h-72 w-full xl:h-[34rem]" />
      </Card>
      <Card>
        <SkeletonRows rows={14} />
      </Card>
    </div>
  );
}
