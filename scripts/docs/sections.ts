// The order of the site: its navigation, previous and next, and llms.txt follow from it.

interface Page {
  /** The file below docs/, without `.md`. */
  readonly page: string;
  readonly name: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Page[];
  readonly isCollapsed?: boolean;
}

const page = (page: string, name: string): Page => ({ page, name });

/** The groups of guides, in the order of the page that lists them with a line each: docs/README.md. */
export const GUIDES: readonly string[] = ['Read', 'Write', 'Lists', 'Trouble', 'Platform'];

export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      page('getting-started', 'Getting started'),
      page('tutorial', 'Tutorial'),
      page('thinking', 'Thinking in Holdfast'),
      page('example-api', 'The API of the examples'),
      page('entries', 'Which entry do I need'),
      page('from-tanstack-query', 'Coming from TanStack Query'),
      page('from-data-client', 'Coming from data-client'),
      page('from-rtk-query', 'Coming from RTK Query'),
      page('from-swr', 'Coming from SWR'),
      page('from-apollo', 'Coming from Apollo Client'),
    ],
  },
  {
    title: 'Read',
    pages: [
      page('reading', 'Reading'),
      page('dependent-reads', 'Dependent and disabled reads'),
      page('parallel-reads', 'Parallel reads'),
      page('suspense', 'Suspense and loading states'),
      page('freshness', 'Freshness'),
      page('live', 'Live updates'),
      page('routers', 'Routers and prefetching'),
      page('http-caching', 'HTTP caching'),
    ],
  },
  {
    title: 'Write',
    pages: [
      page('mutations', 'Mutations'),
      page('writes', 'Writing'),
      page('optimistic-updates', 'Optimistic updates'),
      page('write-queues', 'Write queues'),
      page('forms', 'Forms'),
      page('autosave', 'Autosave'),
      page('transactions', 'Transactions'),
      page('undo', 'Undo'),
      page('bulk', 'Bulk requests'),
      page('uploads', 'Uploads and downloads'),
    ],
  },
  {
    title: 'Lists',
    pages: [
      page('lists', 'Lists'),
      page('pages', 'Pages and infinite scroll'),
      page('lists-of-servers', 'Lists of real servers'),
      page('servers', 'Rails, Strapi, OData, JSON:API'),
      page('local-queries', 'Local queries'),
      page('summaries', 'Summaries and details'),
      page('inverse-relations', 'Inverse relations'),
    ],
  },
  {
    title: 'Trouble',
    pages: [
      page('errors-http', 'Errors and retries'),
      page('errors-for-people', 'Errors for people'),
      page('global-errors', 'Global error handling'),
      page('failures', 'Failures by type'),
      page('conflicts', 'Conflicts'),
      page('validation', 'Checked data'),
      page('inspector', 'Debugging with the inspector'),
      page('testing', 'Testing'),
      page('performance', 'Performance'),
    ],
  },
  {
    title: 'Platform',
    pages: [
      page('sessions', 'Sessions'),
      page('server-rendering', 'Server rendering'),
      page('next', 'Next.js'),
      page('next-data', 'Next.js: parameters, actions, cookies'),
      page('react-native', 'React Native'),
      page('saved-state', 'Persist the state'),
      page('typescript', 'TypeScript'),
      page('defaults', 'Defaults'),
      page('patterns', 'Patterns'),
    ],
  },
  {
    title: 'In depth',
    isCollapsed: true,
    pages: [
      page('entities', 'Entities'),
      page('schemas', 'Schemas'),
      page('resources', 'Resources'),
      page('endpoints', 'Endpoints'),
      page('paths', 'Paths'),
      page('controller', 'Controller'),
      page('managers', 'Managers'),
      page('retention', 'Retention'),
      page('react', 'All hooks'),
      page('linting', 'Lint rules'),
    ],
  },
  {
    title: 'Reference',
    isCollapsed: true,
    pages: [
      page('reference/index', 'All exports'),
      page('reference/schemas', 'Entities and schemas'),
      page('reference/endpoints', 'Resources and endpoints'),
      page('reference/controller', 'Controller'),
      page('reference/managers', 'Managers'),
      page('reference/errors', 'Errors'),
      page('reference/environment', 'Environment'),
      page('reference/auth', 'holdfast/auth'),
      page('reference/edit', 'holdfast/edit'),
      page('reference/edit-react', 'holdfast/edit/react'),
      page('reference/http', 'holdfast/http'),
      page('reference/local', 'holdfast/local'),
      page('reference/local-react', 'holdfast/local/react'),
      page('reference/presets', 'holdfast/presets'),
      page('reference/react', 'holdfast/react'),
      page('reference/react-server', 'holdfast/react/server'),
      page('reference/inspect', 'holdfast/inspect'),
      page('reference/inspect-react', 'holdfast/inspect/react'),
      page('reference/next', 'holdfast/next'),
      page('reference/testing', 'holdfast/testing'),
      page('reference/testing-react', 'holdfast/testing/react'),
      page('reference/validate', 'holdfast/validate'),
      page('reference/eslint-plugin', 'holdfast/eslint-plugin'),
      page('errors', 'Error codes'),
      page('glossary', 'Glossary'),
    ],
  },
  {
    title: 'Why and how',
    pages: [
      page('comparison', 'Comparison'),
      page('benchmarks', 'Benchmarks'),
      page('architecture', 'Architecture'),
      page('decisions/README', 'Decisions'),
      page('reference/changelog', 'Changelog'),
    ],
  },
];
