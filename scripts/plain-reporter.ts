// Closes every test run with one plain line that scripts can read: `N passed, N failed, N skipped`. Before it stands a line for
// each test that failed, and for each that passed at its second attempt, so that the end of a log says which one it was.
import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** One line: the test, and the first line of what it threw. */
function describeFailure(where: string, error: unknown, kind: 'FAIL' | 'SECOND ATTEMPT' = 'FAIL'): string {
  const { message = String(error) } = (error ?? {}) as { readonly message?: string };
  return `${kind} ${where}: ${message.split('\n')[0]}`;
}

export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    const lines = errors.map((error) => describeFailure('outside of a test', error));
    for (const module of modules) {
      const failedBefore = count.failed;
      const file = module.relativeModuleId;
      for (const test of module.children.allTests()) {
        const { state, errors: [error] = [] } = test.result();
        count[state] += 1;
        if (test.diagnostic()?.flaky)
          lines.push(describeFailure(`${file} > ${test.fullName}`, error, 'SECOND ATTEMPT'));
        if (state === 'failed') lines.push(describeFailure(`${file} > ${test.fullName}`, error));
        if (state === 'pending') lines.push(describeFailure(`${file} > ${test.fullName}`, 'it did not end'));
      }
      // a file that cannot be loaded has no tests, and must not count as nothing
      if (module.state() === 'failed' && count.failed === failedBefore) {
        count.failed += 1;
        lines.push(describeFailure(file, module.errors()[0]));
      }
    }
    // a test that never reported a result did not pass
    const failed = count.failed + count.pending;
    lines.push(`${count.passed} passed, ${failed} failed, ${count.skipped} skipped`);
    const text = lines.join('\n');
    console.log(text);
    const tally = process.env['HOLDFAST_TALLY'];
    if (tally) appendFileSync(tally, `${text}\n`);
  }
}
