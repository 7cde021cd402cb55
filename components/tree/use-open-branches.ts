import { useMemo, useState } from 'react';
import { useTreeBranches } from '@/components/data/queries/use-tree-branches';
import { buildLevelFilter } from '@/components/reports/filter/level-filter';
import { useFilter } from '@/components/reports/filter/use-filter';
import { toBranchQuery } from '@/components/reports/report-params';
import { type TreeItem, toBranchId, toBranchPath, toTreeItems } from './tree-item';
import type { TreeState } from './use-tree-state';

/** The rows that were opened in place, and what has been loaded below them. Closed rows are not requested. */
export function useOpenBranches(snapshotId: string, state: TreeState) {
  const { reportFilter } = useFilter();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const paths = [...open].map(toBranchPath);
  const answers = useTreeBranches(
    snapshotId,
    paths.map((path) => {
      const { prefix: within, template: _, ...rest } = reportFilter;
      const { prefix, template } = buildLevelFilter(path, false, within);
      const place = template === null ? { prefix: prefix ?? '' } : { template, ...(prefix && { prefix }) };
      return { ...rest, ...place, ...toBranchQuery(state) };
    }),
  );
  const below = new Map<string, readonly TreeItem[]>(
    paths.map((path, i) => {
      const answer = answers[i];
      if (answer?.data) return [toBranchId(path), toTreeItems(answer.data.report, path)];
      return [toBranchId(path), [{ kind: answer?.isError ? 'failed' : 'wait', under: path }]];
    }),
  );
  // Lines keep their identity until an answer changes, so that the table does not sort them again on every movement.
  const version = answers.map((answer) => `${answer.dataUpdatedAt} ${answer.isError}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `below` depends on nothing but `version` and `open`
  const rows = useMemo(() => below, [version, open]);
  return {
    open,
    rows,
    toggle: (id: string, on: boolean) =>
      setOpen((old) => {
        const next = new Set(old);
        if (on) next.add(id);
        else next.delete(id);
        return next;
      }),
  };
}
