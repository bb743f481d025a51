// The network conditions that the visitor chose. DemoEndpoint sends them as the `Demo-Network` header, and the server then slows,
// fails or cuts exactly those requests.
import { ExternalValue } from '../external-value.ts';

export interface Conditions {
  readonly name: string;
  readonly hint: string;
  /** The header's value; empty means a good network. */
  readonly header: string;
}

export const GOOD: Conditions = { name: 'Good', hint: 'Requests go through untouched.', header: '' };

export const PRESETS: readonly Conditions[] = [
  GOOD,
  { name: 'Slow', hint: 'Each response takes about two seconds.', header: 'delay=1500..2200' },
  { name: 'Out of order', hint: 'Responses overtake each other.', header: 'delay=0..3000' },
  { name: 'Failing', hint: 'Every third request gets a 503.', header: 'delay=200..800; fail=0.34' },
  {
    name: 'Dropping',
    hint: 'Connections break, some after the work was done.',
    header: 'delay=200..800; drop=0.34',
  },
  { name: 'Storm', hint: 'All of it at once.', header: 'delay=0..3000; fail=0.25; drop=0.2' },
];

/** Further faults of the server: any of them, with any network. */
export const FAULTS = [
  {
    name: 'Break 3 rows',
    hint: 'Three issues come with values that cannot be. Every list leaves them out, and the table says which.',
    header: 'broken=3',
  },
  {
    name: 'Refuse every third row',
    hint: 'A change of many issues reaches two of three; the rest can be tried again.',
    header: 'refuse=3',
  },
] as const satisfies readonly Conditions[];

const STORAGE_KEY = 'harbor:network';
const FAULTS_KEY = 'harbor:faults';

export const conditions = new ExternalValue<Conditions>(GOOD);
export const faults = new ExternalValue<readonly Conditions[]>([]);

/** The header value of a request about its network. */
export function readNetworkHeader(): string {
  return [conditions.read(), ...faults.read()]
    .map(({ header }) => header)
    .filter(Boolean)
    .join('; ');
}

/** Restores the choice from before a reload. */
export function restoreConditions(): void {
  const stored = localStorage.getItem(STORAGE_KEY);
  conditions.write(PRESETS.find((preset) => preset.name === stored) ?? GOOD);
  const names = localStorage.getItem(FAULTS_KEY)?.split(',') ?? [];
  faults.write(FAULTS.filter(({ name }) => names.includes(name)));
}

export function chooseConditions(chosen: Conditions): void {
  localStorage.setItem(STORAGE_KEY, chosen.name);
  conditions.write(chosen);
}

export function toggleFault(fault: Conditions): void {
  const before = faults.read();
  const next = before.includes(fault) ? before.filter((other) => other !== fault) : [...before, fault];
  localStorage.setItem(FAULTS_KEY, next.map(({ name }) => name).join(','));
  faults.write(next);
}
