// What axe finds on a page of the demo.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

interface Look {
  /** Looks at this part only. */
  part?: string;
  /** Leaves out what is the same on every page and was looked at on the first. */
  isWithoutFrame?: boolean;
  rules?: string[];
}

/** What axe finds, in words. The page has no frames, so the page alone is looked at. */
export async function look(page: Page, { part, isWithoutFrame, rules }: Look): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  if (part) axe.include(part);
  if (isWithoutFrame) axe.exclude('.sidebar').exclude('.top-bar');
  if (rules) axe.withRules(rules);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
