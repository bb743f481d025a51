// The search of the palette, and what the page of an issue shows at first of one that was found: loaded when the palette is opened.
export { IssueSummary } from '../issue/issue-summary.tsx';
export { searchIssues } from '../resources/search.ts';
