// The people, projects and phrases that seed.ts combines into ten thousand believable issues.

export const USERS = [
  { id: 'mira', name: 'Mira Castellan', role: 'Product engineer', hue: 262 },
  { id: 'jonas', name: 'Jonas Okafor', role: 'Platform engineer', hue: 28 },
  { id: 'saoirse', name: 'Saoirse Lindqvist', role: 'Designer', hue: 340 },
  { id: 'teo', name: 'Teo Marchetti', role: 'Mobile engineer', hue: 152 },
  { id: 'anneke', name: 'Anneke Duval', role: 'Engineering manager', hue: 205 },
  { id: 'ravi', name: 'Ravi Thorne', role: 'Site reliability', hue: 12 },
  { id: 'yuki', name: 'Yuki Abara', role: 'Data engineer', hue: 185 },
  { id: 'bram', name: 'Bram Hollis', role: 'Support lead', hue: 88 },
  { id: 'ines', name: 'Inês Falk', role: 'Security engineer', hue: 300 },
  { id: 'kofi', name: 'Kofi Renner', role: 'Frontend engineer', hue: 45 },
  { id: 'lena', name: 'Lena Voss', role: 'Technical writer', hue: 230 },
  { id: 'odd', name: 'Odd Sørensen', role: 'QA engineer', hue: 120 },
] as const;

interface ProjectSeed {
  id: string;
  name: string;
  description: string;
  hue: number;
  /** Share of all issues, in percent. */
  share: number;
  things: readonly string[];
  places: readonly string[];
}

export const PROJECTS: readonly ProjectSeed[] = [
  {
    id: 'LTH',
    name: 'Lighthouse',
    description: 'Live tracking of vessels, berths and arrivals.',
    hue: 210,
    share: 26,
    things: [
      'arrival estimate',
      'vessel marker',
      'berth calendar',
      'tide overlay',
      'anchorage zone',
      'pilot request',
      'draught warning',
      'AIS feed',
    ],
    places: [
      'the harbour map',
      'the arrivals board',
      'the berth planner',
      'the shift report',
      'the replay view',
    ],
  },
  {
    id: 'TDW',
    name: 'Tidewater',
    description: 'Port dues, invoices and the tariff engine.',
    hue: 165,
    share: 22,
    things: [
      'tariff table',
      'invoice total',
      'credit note',
      'currency rounding',
      'port-dues rule',
      'payment reminder',
      'tax certificate',
      'discount tier',
    ],
    places: [
      'the billing run',
      'the invoice editor',
      'the customer portal',
      'the month-end export',
      'the quote form',
    ],
  },
  {
    id: 'BRK',
    name: 'Breakwater',
    description: 'Sign-in, permissions and the audit trail.',
    hue: 350,
    share: 18,
    things: [
      'session refresh',
      'role matrix',
      'audit entry',
      'invite link',
      'passkey prompt',
      'access review',
      'API token',
      'lockout timer',
    ],
    places: ['the sign-in page', 'the admin console', 'the team settings', 'the audit log', 'the token page'],
  },
  {
    id: 'CMP',
    name: 'Compass',
    description: 'The app that crews and pilots carry on board.',
    hue: 32,
    share: 20,
    things: [
      'offline chart',
      'push notice',
      'photo upload',
      'watch rota',
      'voice memo',
      'position report',
      'checklist item',
      'dark theme',
    ],
    places: [
      'the bridge view',
      'the crew chat',
      'the inspection form',
      'the onboarding',
      'the tablet layout',
    ],
  },
  {
    id: 'ANC',
    name: 'Anchor',
    description: 'Build, deploy and the machines underneath.',
    hue: 275,
    share: 14,
    things: [
      'deploy pipeline',
      'backup job',
      'metrics scrape',
      'message queue',
      'certificate renewal',
      'log shipper',
      'feature flag',
      'read replica',
    ],
    places: [
      'the staging cluster',
      'the release train',
      'the on-call handbook',
      'the nightly build',
      'the cost report',
    ],
  },
];

/** `{thing}` and `{place}` are filled from the project. */
export const BUG_TITLES = [
  '{Thing} shows stale values in {place}',
  '{Thing} jumps while scrolling {place}',
  'Crash when {place} opens without a {thing}',
  '{Thing} is counted twice in {place}',
  '{Place} ignores the {thing} after midnight UTC',
  'Wrong {thing} after switching accounts in {place}',
  '{Thing} disappears when {place} reconnects',
  'Keyboard focus is lost after editing the {thing}',
  '{Place} times out when the {thing} is large',
  '{Thing} cannot be cleared in {place}',
];

export const FEATURE_TITLES = [
  'Let people pin the {thing} in {place}',
  'Show who changed the {thing} in {place}',
  'Bulk edit for every {thing} in {place}',
  'Export the {thing} from {place}',
  'Compare two versions of the {thing}',
  'Explain the {thing} with a short note in {place}',
  'Notify the owner when the {thing} changes',
  'Remember the last {thing} used in {place}',
  'Group {place} by {thing}',
  'Undo for the {thing} in {place}',
];

export const CHORE_TITLES = [
  'Write a runbook for the {thing}',
  'Move the {thing} out of {place}',
  'Measure how long the {thing} takes in {place}',
  'Remove the old {thing} code from {place}',
  'Document the {thing} for new colleagues',
  'Try a smaller model for the {thing}',
  'Review access to the {thing}',
  'Add a test for the {thing} in {place}',
];

export const DESCRIPTIONS = [
  'Reported by two customers this week. It happens on slow connections more often than on fast ones.',
  'Steps: open the page, change the value, go back within a second. The old value is shown again until a reload.',
  'We agreed on the shape of this in the last planning round; the mock-ups are linked in the design folder.',
  'Small, but it comes up in almost every support call. A first version may leave the settings out.',
  'Only the newest data matters here. Older values may be dropped as long as the totals stay right.',
  'Blocked for a while by the database upgrade, free to start now.',
  'Needs a decision about the wording first. The current text is too technical for people on the quay.',
  'Please keep the old behaviour behind a switch for one release.',
];

export const COMMENTS = [
  'I can reproduce this on staging every time, on the second attempt.',
  'Looks good to me. Shall we ship it with the next train?',
  'The numbers differ by exactly one, so I suspect the boundary of the day.',
  'Added the mock-ups. Feedback on the empty state is welcome.',
  'Let us split this: the read part is easy, the write part is not.',
  'Customer confirmed that the workaround holds for now.',
  'I will pick this up after the release.',
  'Can someone with access to the logs have a look? It was around 14:20.',
  'Measured it: the slow part is the first request, everything after that is fast.',
];
