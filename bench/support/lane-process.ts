// A child process that answers questions, one at a time: how a race reaches a contestant that has a process of its own.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { nodeFlags } from './bundle.ts';

export class LaneProcess {
  readonly #child: ChildProcess;

  constructor(bundle: string, args: readonly string[]) {
    this.#child = fork(bundle, args, {
      execArgv: [...nodeFlags],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /** What the process answers. Rejects when it ends instead; its own words are on the screen. */
  ask(question: object): Promise<unknown> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new Error('the process ended'));
      child.once('exit', end);
      child.once('message', (answer) => {
        child.off('exit', end);
        resolve(answer);
      });
      // it may be gone without word of it yet
      if (child.connected) child.send(question, (error) => error && end());
      else end();
    });
  }

  close(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The other side: answers every question until the process is closed. */
export function answerQuestions(answer: (question: unknown) => Promise<unknown>): void {
  process.on('message', (question) => void answer(question).then((given) => process.send?.(given)));
}
