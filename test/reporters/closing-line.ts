import type { Reporter, TestModule } from 'vitest/node';

/** Closes a run with one line that scripts and people can read. Broken files and stray errors count as failed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const testModule of modules) {
      failed += testModule.errors().length;
      for (const test of testModule.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    // After the other reporters' summary, which is written in the same turn.
    setImmediate(() => process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`));
  }
}
