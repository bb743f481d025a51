// The inspector's sentences by name. The panel and applications use it through describe.ts, which replaces the names in braces.

export const SENTENCES = {
  // ── why a field has its value ──
  'yours': '{value}: you {did} at {time}, and the server saved it.',
  'your response': '{value}: the server said so at {time}, in its response to the {call}.',
  'read': '{value}: the server said so at {time}, in the response with {call}.',
  'message': '{value}: a message from the server, or code of this page, set it at {time}.',
  'class': '{value}: the entity class computed it at {time}, from the response with {call}.',
  'before': '{value}: it was here before the inspector could see it, for example in a saved state.',
  'guessed': '{value}: you {did}. It is shown already.',
  'below': 'The server last said {other}.',
  'confirmed': '{who} at {time} said the same.',
  'history': 'Before, it was {other}.',
  'no explanation': 'This explains no row or request.',

  // ── which response did not count ──
  'lost': '{who} said {other}. It does not count: {why}.',
  'late': '{who} still had the row. It does not count: {why}.',

  // ── why it is stale, or absent ──
  'never-fetched': 'It was never loaded before.',
  'lifetime-over': 'It was fresh until {time}.',
  'invalidated': 'This page declared it invalid.',
  'failed': 'The last request for it failed.',
  'failed often': 'The last {count} requests for it failed.',
  'summary-only': 'Only a part was loaded: {fields} is missing.',
  'gone': 'The server has deleted it.',
  'being-deleted': 'An optimistic update removes it; the server has not answered yet.',
  'clock-was-set-back': 'The clock of this device was set back, so its age is unknown.',
  'write-ended-unknown': '{what}: {by} failed at {time}, and nobody knows whether the server saved it.',
  'write-refused': '{what}: the server refused {by} at {time}, so it may have other data.',
  'left-open-by-an-answer': '{what}: since {by} at {time} the server may have other data.',
  'left-open-by-a-read': '{what}: {by} at {time} could not know of a later change.',
  'expired-by-hand': '{what}: this page declared it stale.',
  'in-doubt': '{what}: something made it stale before the inspector could see it.',

  // ── why it was requested ──
  'requested': '{call} was requested at {time}.',
  'sent': 'You asked for {by} at {time}.',
  'write: sent': '{by} was sent, and has no response yet.',
  'write: waiting': '{by} is sent after an earlier change has its response.',
  'write: held': '{by} is held back, to be sent later.',
  'write: conflict': '{by} waits for a decision: another client has changed the row.',
  'write: answered-without-a-name': '{by} has a response without an id.',
  'a message': 'A message from the server, or code of this page, changed data at {time}.',
  'mount': 'A component began to show it.',
  'expiry': 'A component shows it, and it was no longer fresh.',
  'focus': 'Somebody came back to this page, and it was stale.',
  'reconnect': 'The network came back.',
  'poll': 'It is requested at regular intervals.',
  'page': 'The next page of a list was wanted.',
  'call': 'This page asked for it.',
  'retry': 'The last request had failed, and was repeated.',
  'doubt': 'A component shows it, and it was stale.',
  'invalid': 'A component shows it, and it was invalid.',
  'absence': 'A component shows it, and it was not there.',
  'again': 'The first response was incomplete, so it was sent once more.',
  'refusal': 'The server had refused it, so it was sent once more.',
  'unknown': 'The inspector did not see why.',

  // ── how it ended ──
  'in-flight': 'It has no response yet.',
  'counted': 'Its response came after {ago} and counts.',
  'did-not-count': 'Its response came after {ago}. It does not count: {why}.',
  'unchanged': 'Its response came after {ago} and changed nothing.',
  'refused': 'The server refused it after {ago}, with status {count}.',
  'broken': 'The server failed after {ago}, with status {count}.',
  'no response': 'It failed after {ago}: no usable response came.',
  'given-up': 'It was given up after {ago}: nobody needed it any more, or the store was emptied.',

  // ── why it rendered ──
  'rendered': '{who} rendered at {time}.',
  'wake: answer': '{by} arrived.',
  'wake: failure': 'Its request failed.',
  'wake: invalidated': 'It was declared invalid.',
  'wake: aged': 'It became stale, or is fresh again.',
  'wake: request': 'A request for it was sent, or has ended.',
  'wake: time-passed': 'Its expiry time passed.',
  'wake: store-was-reset': 'The store was emptied.',
  'wake: changed': '{what} changed{fields}, by {by}.',
  'wake: guess-changed': '{what} changed{fields}: it {not}shows a change that the server has not confirmed.',
  'wake: forgotten': '{what} was removed from memory.',

  // ── why a row is in a list, or not ──
  'in: answered': 'The response of {time} has it in this list.',
  'in: put-by-the-call': 'You added it to this list at {time}.',
  'in: creation-by-row': 'It was created at {time}, and its fields match this list.',
  'in: field-changed': 'It was changed at {time}, and since then its fields match this list.',
  'in: created-while-under-way':
    'It matches this list. The response of {time} does not have it, and could not know of it.',
  'in: guessed': 'An optimistic update shows it here; the server has not answered yet.',
  'in: unknown': 'It was here before the inspector could see it, for example in a saved state.',
  'out: not-in-the-answer': 'The response of {time} no longer had it in this list.',
  'out: deleted': 'It was deleted at {time}.',
  'out: taken-out-by-the-call': 'It was taken out of this list at {time}.',
  'out: field-changed': 'It was changed at {time}, and since then its fields do not match this list.',
  'out: unknown': 'It left this list, and the inspector did not see why.',
  'out: does not match': 'Its {fields} is {value}, and this list has only those with {other}.',
  'out: by the server': 'Only the server decides who is in this list, and no response had it.',
  'out: unloaded': 'It may be on a page that is not loaded.',
  'out: not seen': 'Its fields match this list, but no response had it.',

  // ── a list as a whole ──
  'order: declared-order': 'Its order is declared: the fields of a row decide its place.',
  'order: servers-order': 'Only the server knows its order.',
  'order: as-answered': 'It has the order of the response.',
  'members: by-fields': 'The fields of a row decide whether it belongs here.',
  'members: by-the-server': 'Only the server decides which rows belong here.',
  'more: none': 'All of its pages are loaded.',
  'more: at-the-end': 'It has further pages at its end.',
  'more: at-the-start': 'It has further pages at its start.',
  'more: at-both-ends': 'It has further pages at both ends.',
  'more: unknown': 'Nothing is known of further pages.',
  'rest': 'The server has {count} more rows of it.',
} as const;

/** The words for the request whose value does not count: the beginning of the sentences `lost` and `late`. */
export const WHO = {
  'sooner': '{who} that was requested {ago} before your change was saved',
  'read': '{who} that was requested at {time}',
  'mutation': 'The response to {by}',
  'direct-write': 'A message at {time}',
} as const;

/** Why a value or a response does not count: the end of the sentences `lost`, `late` and `did-not-count`. */
export const LOST_BECAUSE = {
  'read-sent-before-write-was-answered': 'it could not know of {by}',
  'read-sent-before-later-read': 'a request that was sent later knows better',
  'write-sent-before-later-write': 'a change that was sent later was saved first',
  'older-than-what-is-stored': 'what is stored is newer',
  'row-was-deleted': 'it could not know that the row was deleted',
  'lower-version': 'it has an older version of the row',
  'hook-of-the-class': 'the entity class keeps the other value',
  'own-write-under-way': 'a message may be older than your change, which was on its way',
  'own-write-answered-lately': 'a message may be older than your change, which had just been saved',
  'echo-of-own-write': 'it repeats your own change, which was on its way',
  'cannot-tell': 'the store kept the other value',
} as const;
