// A name for this page among all that are open. The server leaves out of the event stream what the
// page itself did: it learns that from the answers, and a creation told twice would show twice.

export const CLIENT_ID: string = crypto.randomUUID();
