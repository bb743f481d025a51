// Closes every test run with one plain line that scripts can read: `N passed, N failed, N skipped`.
import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      const failedBefore = count.failed;
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      // a file that cannot be loaded has no tests, and must not count as nothing
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed += 1;
    }
    // a test that never reported a result did not pass
    const failed = count.failed + count.pending;
    const line = `${count.passed} passed, ${failed} failed, ${count.skipped} skipped`;
    console.log(line);
    const tally = process.env['HOLDFAST_TALLY'];
    if (tally) appendFileSync(tally, `${line}\n`);
  }
}
