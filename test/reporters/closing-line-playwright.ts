import { basename } from 'node:path';
import type { Reporter, Suite, TestError } from '@playwright/test/reporter';
import { noteFailure } from './note-failure';
import { noteTime } from './note-time';

/** Prints the same closing line as the other runners. A flaky test counts as failed, because it may hide an error. */
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
    for (const [file, { began, ended }] of this.spans()) noteTime('e2e', file, (ended - began) / 1000);
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
    return Promise.resolve();
  }

  /** Returns when the first test of each file began and the last one ended, including the time of worker fixtures. */
  private spans() {
    const spans = new Map<string, { began: number; ended: number }>();
    for (const test of this.suite?.allTests() ?? [])
      for (const { startTime, duration } of test.results) {
        const file = `e2e/${basename(test.location.file)}`;
        const [began, ended] = [startTime.getTime(), startTime.getTime() + duration];
        const span = spans.get(file) ?? { began, ended };
        spans.set(file, { began: Math.min(span.began, began), ended: Math.max(span.ended, ended) });
      }
    return spans;
  }

  printsToStdio() {
    return false;
  }
}
