// Shortens a failing schedule: drops steps in ever smaller groups, then removes waiting times, then rounds the fractions, as long
// as the same invariant still breaks.

/** The properties that every schedule has, whatever its steps do. */
interface Shrinkable<Step> {
  steps: Step[];
  hasOthers: boolean;
  isDeaf: boolean;
  isPaired?: boolean;
}

export async function shrink<
  Step extends { ms: number; fault: number; with: number },
  Schedule extends Shrinkable<Step>,
>(
  schedule: Schedule & Shrinkable<Step>,
  stillFails: (candidate: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  let best = schedule;
  const keep = async (candidate: Schedule): Promise<boolean> => {
    if (!(await stillFails(candidate))) return false;
    best = candidate;
    return true;
  };

  for (let size = best.steps.length >> 1; size >= 1; size = size > 1 ? size >> 1 : 0) {
    for (let start = best.steps.length - size; start >= 0; start -= size) {
      const steps = [...best.steps.slice(0, start), ...best.steps.slice(start + size)];
      await keep({ ...best, steps });
    }
  }
  for (const plain of [{ hasOthers: false }, { isDeaf: false }, { isPaired: false }])
    await keep({ ...best, ...plain });
  await simplify((step) => ({ ...step, ms: 0 }));
  await simplify((step) => ({ ...step, fault: 0.999 }));
  await simplify((step) => ({ ...step, with: step.with < 0.5 ? 0.2 : 0.7 }));
  // a last pass: after the simplification more steps may have no effect
  for (let index = best.steps.length - 1; index >= 0; index--) {
    await keep({ ...best, steps: best.steps.filter((_step, other) => other !== index) });
  }
  return best;

  async function simplify(change: (step: Step) => Step): Promise<void> {
    for (let index = 0; index < best.steps.length; index++) {
      const steps = best.steps.map((step, other) => (other === index ? change(step) : step));
      await keep({ ...best, steps });
    }
  }
}
