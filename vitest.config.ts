import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const exclude = [...configDefaults.exclude, '.next/**', '.demo/**', 'data/**', 'e2e/**'];

/** What waits for real servers and processes is limited only so that nothing hangs: a busy machine takes its time. */
const withRealServers = {
  setupFiles: './test/servers/patient-latency.ts',
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 20_000 } },
  // Real servers need the cores: many files at once make timings lie.
  maxWorkers: 2,
};

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: root }] },
  test: {
    reporters: [process.env.CI ? 'dot' : 'default', './test/reporters/closing-line.ts'],
    passWithNoTests: true,
    globalSetup: './test/own-temporary-folder.ts',
    // Nobody signs in but where a test is about that.
    env: { COLONNADE_SINGLE_USER: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude,
          // Components ask for a document with `// @vitest-environment happy-dom` in their first line.
          environment: 'node',
          testTimeout: 10_000,
          // Much of their time is waiting for timers, so a few more than there are cores.
          maxWorkers: Math.max(3, availableParallelism()),
        },
      },
      {
        extends: true,
        test: {
          // What the control database holds, on the other database: npx vitest run --project postgres.
          name: 'postgres',
          include: [
            'lib/{store,jobs,audit,audit-log,keys,auth,users,policies,deletions}/**/*.test.ts',
            'lib/{jobs,policies}/**/*.itest.ts',
            // With their jobs in a process apart (test/deletions/faults/open-apart.ts).
            'test/deletions/faults/**/*.itest.ts',
            'test/deletions/{approval,approval-anew,archive-files,quarantine,rolled-back,same-node,verbs}.itest.ts',
            '**/*.postgres.itest.ts',
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
          exclude: [...exclude, '**/*.postgres.itest.ts'],
          globalSetup: './test/servers/bundled-command.ts',
          environment: 'node',
          ...withRealServers,
          // Vitest asks for its own turn when a project has its own number of workers.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
