// Dates for people.

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "3 hr. ago" */
export function formatAgo(date: Date, nowMs: number = Date.now()): string {
  const seconds = Math.round((date.getTime() - nowMs) / 1000);
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return 'just now';
}

export function formatFull(date: Date): string {
  return full.format(date);
}

/** "24 Dec" for 2026-12-24. */
export function formatDay(isoDay: string): string {
  return day.format(new Date(`${isoDay}T00:00:00Z`));
}

export type DueState = 'overdue' | 'soon' | 'later';

export function readDueState(isoDay: string, nowMs: number = Date.now()): DueState {
  const daysLeft = (Date.parse(`${isoDay}T23:59:59Z`) - nowMs) / 86_400_000;
  return daysLeft < 0 ? 'overdue' : daysLeft < 3 ? 'soon' : 'later';
}
