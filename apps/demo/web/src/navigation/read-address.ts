// The meaning of an address: the view and its subject. The panes show it, prefetch.ts fetches its data ahead.

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
  // `LTH-12` belongs to LTH; an issue without a server id contains no project
  const ofIssue = /^([A-Z]+)-/.exec(id)?.[1];
  const projectId = view === 'board' ? id : view === 'issues' ? ofIssue : search.get('projectId');
  return { view, id, search, projectId: projectId || undefined };
}
