// What an address means: which view, of what. The panes show it, prefetch.ts asks for its data ahead.

export interface Address {
  /** The first part of the path; empty for the start page. */
  view: string;
  id: string;
  search: URLSearchParams;
  /** The project that the view belongs to, if it belongs to one. */
  projectId: string | undefined;
}

export function readAddress(address: string): Address {
  const { pathname, searchParams: search } = new URL(address, window.location.origin);
  const [, view = '', id = ''] = pathname.split('/').map(decodeURIComponent);
  // `LTH-12` belongs to LTH; an issue that the server has not named yet does not say
  const ofIssue = /^([A-Z]+)-/.exec(id)?.[1];
  const projectId = view === 'board' ? id : view === 'issues' ? ofIssue : search.get('projectId');
  return { view, id, search, projectId: projectId || undefined };
}
