// An id of this page among all open ones. The server leaves the page's own creations out of the event stream: sent before the
// response with its id, a creation would be shown twice.

export const CLIENT_ID: string = crypto.randomUUID();
