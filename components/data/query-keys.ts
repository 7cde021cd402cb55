/** The names of everything cached in the browser. */
export const queryKeys = {
  fleet: ['fleet'] as const,
  instances: ['instances'] as const,
  instance: (id: string) => ['instances', id] as const,
  server: (id: string) => ['server', id] as const,
  jobs: ['jobs'] as const,
  jobList: (query: { instanceId?: string; active?: boolean }) => ['jobs', 'list', query] as const,
  job: (id: string) => ['jobs', 'one', id] as const,
  snapshots: (instanceId: string) => ['snapshots', instanceId] as const,
  snapshot: (id: string) => ['snapshot', id] as const,
  report: (snapshotId: string, name: string, query: unknown) => ['report', snapshotId, name, query] as const,
  liveKey: (instanceId: string, k: string, db: number) => ['live-key', instanceId, k, db] as const,
  audit: ['audit'] as const,
};
