// A name for this page among all that are open. The server leaves the page's own creations out of
// the event stream: told before the answer that names it, a creation would show twice.

export const CLIENT_ID: string = crypto.randomUUID();
