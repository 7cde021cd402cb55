import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { LONG } from './test/long-form.mjs';
import { LongestFirst } from './test/longest-first.mjs';
import { listOwnProcess } from './test/own-process.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const exclude = [
  ...configDefaults.exclude,
  ...['.next/**', '.demo/**', 'data/**', 'e2e/**'],
  ...(LONG ? [] : ['**/*.long.*itest.ts']),
];
const ownProcess = listOwnProcess(root);
/** The two projects of one stage: files that share processes, and files that have one each. */
const shared = { isolate: false };
const alone = (end: RegExp) => ({ include: ownProcess.filter((file) => end.test(file)) });

/** Bounds are there so that nothing hangs: a machine that is busy with other things takes its time. */
const patient = { testTimeout: 180_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };
const withRealServers = {
  ...patient,
  setupFiles: './test/servers/patient-latency.ts',
  // Real servers need the cores: many files at once make timings lie.
  maxWorkers: 3,
};
const withoutServers = {
  // Components ask for a document with `// @vitest-environment happy-dom` in their first line.
  environment: 'node',
  setupFiles: './test/patient-queries.ts',
  ...patient,
  // Much of their time is waiting for timers, so a few more than there are cores.
  maxWorkers: Math.max(3, availableParallelism()),
};
const integration = {
  globalSetup: './test/servers/bundled-command.ts',
  environment: 'node',
  ...withRealServers,
  // Vitest asks for its own turn when a project has its own number of workers.
  sequence: { groupOrder: 1 },
};

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: root }] },
  test: {
    reporters: [process.env.CI ? 'dot' : 'default', './test/reporters/closing-line.ts'],
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    globalSetup: './test/own-temporary-folder.ts',
    // Nobody signs in but where a test is about that.
    env: { COLONNADE_SINGLE_USER: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...exclude, ...ownProcess],
          ...shared,
          ...withoutServers,
        },
      },
      { extends: true, test: { name: 'unit-alone', ...alone(/\.test\.tsx?$/), exclude, ...withoutServers } },
      {
        extends: true,
        test: {
          // Runs the tests of the control database on PostgreSQL: npx vitest run --project postgres.
          name: 'postgres',
          include: [
            'lib/{store,jobs,policies,schedules,deletions,maintenance/keys}/**/*.test.ts',
            'lib/alerts/apply-judgement.test.ts',
            'lib/access/{audit,audit-log,auth,users}/**/*.test.ts',
            '**/*.postgres.itest.ts',
            // Leases, the journal and archives, with jobs in a process apart (test/deletions/faults/open-apart.ts).
            'lib/jobs/loop/takeover.itest.ts',
            'lib/schedules/tick.itest.ts',
            'test/deletions/faults/stalled-run.itest.ts',
            'test/deletions/{archive-files,quarantine}.itest.ts',
            ...(LONG
              ? [
                  'lib/{jobs,policies}/**/*.itest.ts',
                  'test/deletions/faults/**/*.itest.ts',
                  'test/deletions/{approval,approval-anew,rolled-back,same-node,verbs}.itest.ts',
                ]
              : []),
          ],
          exclude: [...exclude, '**/*sqlite*.test.ts', '**/many-rows.test.ts'],
          environment: 'node',
          globalSetup: ['./test/servers/postgres-for-all.ts', './test/servers/bundled-command.ts'],
          ...withRealServers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['**/*.itest.ts'],
          exclude: [...exclude, '**/*.postgres.itest.ts', ...ownProcess],
          ...shared,
          ...integration,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration-alone',
          ...alone(/\.itest\.ts$/),
          exclude: [...exclude, '**/*.postgres.itest.ts'],
          ...integration,
        },
      },
    ],
  },
});
