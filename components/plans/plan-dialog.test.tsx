// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { showPage, stubApi } from '@/test/show-page';
import { PlanDialog } from './plan-dialog';

// Loaded here because compiling it may take long on a busy machine.
beforeAll(() => import('@/components/ui/overlays/parts/dialog-parts'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const node = (path: string) => ({ path, end: false });

it.each([
  [['celery-task-meta-{uuid}'], 'Every key of celery-task-meta-{uuid}. The plan'],
  [['a:', 'b:', 'c:', 'd:', 'e:'], 'Every key of a:, b:, c: and 2 more nodes. The plan'],
])('says which nodes of the tree are planned: %s', async (paths, text) => {
  stubApi({});
  showPage(
    <PlanDialog
      instanceId="i1"
      selection={{ by: 'filter', snapshotId: 's1', filter: {}, nodes: paths.map(node) }}
      start={{ task: 'delete' }}
      open
      onOpenChange={() => {}}
    />,
    { path: '/instances/i1/tree' },
  );
  expect(await screen.findByText(text, { exact: false })).toBeTruthy();
});
