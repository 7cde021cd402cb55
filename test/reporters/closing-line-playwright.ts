import type { Reporter, Suite, TestError } from '@playwright/test/reporter';
import { noteFailure } from './note-failure';

/** The same closing line as the other runners. A flaky test counts as failed: it hides something. */
export default class ClosingLine implements Reporter {
  private suite: Suite | undefined;
  private strayErrors = 0;

  onBegin(_config: unknown, suite: Suite) {
    this.suite = suite;
  }

  onError(error: TestError) {
    this.strayErrors += 1;
    noteFailure('outside of a test', error.message);
  }

  onExit(): Promise<void> {
    let passed = 0;
    let failed = this.strayErrors;
    let skipped = 0;
    for (const test of this.suite?.allTests() ?? []) {
      const outcome = test.outcome();
      if (outcome === 'expected') passed += 1;
      else if (outcome === 'skipped') skipped += 1;
      else {
        failed += 1;
        const message = test.results.flatMap((result) => result.errors)[0]?.message;
        noteFailure(test.titlePath().filter(Boolean).join(' › '), message);
      }
    }
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    return Promise.resolve();
  }

  printsToStdio() {
    return false;
  }
}
