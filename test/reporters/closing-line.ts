import type { Reporter, TestModule } from 'vitest/node';
import { noteFailure } from './note-failure';
import { noteTime } from './note-time';

/**
 * Ends the output of a run with one line that scripts and people can read. Broken files and unhandled errors count as
 * failed.
 */
export default class ClosingLine implements Reporter {
  onTestModuleEnd(testModule: TestModule) {
    const { prepareDuration, setupDuration, collectDuration, duration } = testModule.diagnostic();
    const ms = prepareDuration + setupDuration + collectDuration + duration;
    noteTime(testModule.project.name.replace('-alone', ''), testModule.relativeModuleId, ms / 1000);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const error of unhandledErrors) noteFailure('outside of a test', describe(error));
    for (const testModule of modules) {
      failed += testModule.errors().length;
      for (const { message } of testModule.errors()) noteFailure(testModule.relativeModuleId, message);
      for (const test of testModule.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') {
          failed += 1;
          noteFailure(`${testModule.relativeModuleId} › ${test.fullName}`, errors?.[0]?.message);
        } else skipped += 1;
      }
    }
    // The line is written after the summary of the other reporters, which is written in the same turn.
    setImmediate(() => process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`));
  }
}

const describe = (error: unknown) =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
