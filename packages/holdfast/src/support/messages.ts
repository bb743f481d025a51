// The text of every coded error and warning: what happened, where it happened, and how to correct the cause. Only development
// contains this file: production prints the code and the parameters. Each code has a heading in docs/errors.md. The texts of failed
// requests are in network-errors.ts, because both builds have them.

type MessageParams = Readonly<Record<string, unknown>>;

/** The text of each code, made from the error's parameters. */
export type MessageTable = Readonly<Record<string, (params: MessageParams) => string>>;

const atPath = (params: MessageParams): string => (params['path'] ? ` at ${String(params['path'])}` : '');

const PATH_REASONS: Readonly<Record<string, string>> = {
  type: 'it is no string',
  host: 'a parameter may not choose the host',
  group: 'a group must be closed, and before the query',
  dots: 'a segment may not be . or ..',
  prefix: 'after a urlPrefix it must begin with /',
};

export const messages: MessageTable = {
  BATCH_MOST_INVALID: (p) =>
    `The option \`most\` of a BatchManager is ${p['found']}. Pass the largest number of calls in one request, at least 1.`,
  BATCH_RESULTS_INVALID: (p) =>
    `The option \`results\` of a BatchManager with ${p['endpoint']} returned ${p['found']} results for ${p['calls']} calls, or a value ` +
    `that is no result. The outcome of all these calls is unknown, and their rows are read again. Return success(value) or ` +
    `failure(status, body) for each call, in the order of the calls.`,
  BATCH_STATUS_INVALID: (p) =>
    `failure() was given the status ${p['found']}. Pass an HTTP status from 400 to 599, or return success(value).`,
  EDIT_ENDPOINT_INVALID: (p) =>
    `edit() cannot save with ${p['endpoint']} (${p['method']}). Pass a mutation of one row that takes some of its fields, such as ` +
    `partialUpdate; a PUT needs the option \`body\`, which returns the whole row.`,
  EDIT_FIELD_UNKNOWN: (p) =>
    `An edit with ${p['endpoint']} was given the field ${p['field']}, which the entity does not declare. Correct the name, or ` +
    `declare the field in the class. A member of the body that is no field of the row comes from the option \`body\`.`,
  EDIT_TIME_INVALID: (p) =>
    `The option ${p['name']} of an edit is ${p['found']}. Pass a positive number of milliseconds.`,
  HISTORY_OPTION_INVALID: (p) =>
    `The option ${p['name']} of a history or a transaction cannot be ${p['found']}. Pass positive numbers, and resources whose ` +
    `endpoint \`get\` has an entity in its schema.`,
  TRANSACTION_ASYNC: () =>
    `transaction() was given an asynchronous function. Nothing was called. What is shown together must be called together: await what ` +
    `the calls need before transaction(), and pass a function without \`async\`.`,
  TRANSACTION_DRAFT_MISSING: (p) =>
    `tx.create(${p['endpoint']}) has no row to return, because the optimistic update of the call was cancelled or threw. Call it with ` +
    `tx.fetch(), or give the endpoint an optimistic response.`,
  TRANSACTION_FAILED: (p) =>
    `${p['failed']} of the calls of a transaction failed, the first was ${p['endpoint']}. ${p['undone']} were undone, ${p['done']} ` +
    `stay. The error has \`failed\`, with the error of each call, and \`left\`, with what could not be undone.`,
  TRANSACTION_OVER: (p) =>
    `${p['endpoint']} was called by the \`tx\` of a transaction that is over. Use \`tx\` only inside the function.`,
  TRANSACTION_READ: (p) =>
    `${p['endpoint']} reads, and a transaction was given it. Read before the transaction. If the request changes something on the ` +
    `server, say so: sideEffect: true.`,
  EDIT_TOO_LARGE: (p) =>
    `The page is being left while an edit with ${p['endpoint']} has more than 64,000 characters to save. Browsers may drop a ` +
    `request of this size when a page ends. Save such fields earlier, by flush() or a smaller atMostMs.`,
  ENTITY_WITHOUT_PK: (p) =>
    `${p['entity']}${atPath(p)} has no usable primary key (${p['found']}). Return a non-empty string or a finite number from ` +
    `${p['entity']}.pk(), send the id in the payload, or take the schema off this field.`,
  ENTITY_UNSAFE_ID: (p) =>
    `${p['entity']}${atPath(p)} has the numeric id ${p['found']}, which is beyond the integers JavaScript keeps exactly. ` +
    `Send the id as a string.`,
  ENTITY_KEY_CLASH: (p) =>
    `Two entity classes both take the name ${p['entity']} from their class name. Give each a \`static key\`; ` +
    `minifiers shorten class names, so every entity should have one.`,
  ENTITY_KEY_SHARED: (p) =>
    `${p['entity']} and ${p['other']} have one key, \`${p['key']}\`, so rows of both with one id are merged into one. Give each class a \`static key\` ` +
    `of its own, or let one extend the other.`,
  FIELD_RENAMED: (p) =>
    `No ${p['entity']} of a response has the field ${p['field']}, but ${p['found']} is there: readers get the default of ${p['field']}. Correct the name ` +
    `in the class, or declare the server's names: static wireNames = snakeCase.`,
  FIELD_NOT_PARSED: (p) =>
    `${p['entity']}.${p['field']} is a ${p['type']} by its default, and ${p['found']} came: readers get what came. Name its type: ` +
    `static schema = { ${p['field']}: ${p['type']} }.`,
  FIELD_NULL: (p) =>
    `${p['entity']}.${p['field']} is an object by its default, and null came: readers get null. Let the default be null, with the type … | null, or ` +
    `make an object in process().`,
  PAGE_TOKEN_MISSING: (p) =>
    `The first response of a list in pages has no \`${p['path']}\`, where inPages() looks for a token, but ${p['found']} is there. So the list ends after ` +
    `one page: give inPages() that path.`,
  PROVIDER_NESTED: () =>
    `A DataProvider without \`controller\` is inside another one: what is below has a store of its own, which shares nothing with the rest. Remove it, or pass ` +
    `a \`controller\`.`,
  CONTROLLER_UNSTABLE: () =>
    `A DataProvider got another \`controller\` at each of several renders, so everything is read again each time. Make the controller once, outside of ` +
    `components, or give the provider the options.`,
  ENDPOINT_UNSTABLE: (p) =>
    `A component makes ${p['endpoint']} anew at each render: nobody shares its options, and what is computed for it is computed again. Make the endpoint ` +
    `once, outside of components, or use withOptions(), which may be part of a render.`,
  BOUNDARY_MISSING: () =>
    `A component waits for data and no boundary is above it, so the whole page is blank meanwhile. Put an AsyncBoundary with a \`fallback\` around the ` +
    `component.`,
  NOT_A_SCHEMA: (p) =>
    `useQuery() was given ${p['found']}. It reads a schema from the store and sends nothing: read an endpoint with useSuspense(endpoint, …) or useDLE(endpoint, …).`,
  URL_RELATIVE: (p) =>
    `${p['url']} is relative, and there is no page here that it could be relative to. Give the endpoint or the resource a \`urlPrefix\`, such as ` +
    `https://api.example.com.`,
  ENTITY_WITHOUT_KEY: () => `An entity class has no name to be stored under. Give it a \`static key\`.`,
  ENTITY_INVALID: (p) => `${p['entity']}${atPath(p)} was refused by its checks: ${p['reason']}`,
  ROW_REFUSED: (p) =>
    `A ${p['entity']}${atPath(p)} is not what its schemas say, and was ${p['outcome']}. ${p['reason']}. Correct the schema ` +
    `or the server; getRefused() has every such row.`,
  WRONG_SHAPE: (p) => {
    // If the payload has an object where a list is expected, its values are read as the items. If the first value is an array, it
    // may be the list.
    const isAround = p['found'] === 'an array' && String(p['path']).endsWith('[0]');
    return (
      `Expected ${p['expected']}${atPath(p)} but found ${p['found']}. ` +
      (isAround
        ? `Is the response an object around the list? Then the schema is one too: { data: new schema.Collection([…]) }. `
        : '') +
      `Change the schema, or reshape the response in process().`
    );
  },
  FIELD_PARSER_THREW: (p) =>
    `The field schema of ${p['path']} threw: ${p['reason']}. Correct the value on the server or make the function accept it.`,
  HOOK_THREW: (p) =>
    `${p['hook']} of ${p['entity']} threw: ${p['reason']}. Nothing of the payload was stored. Make the function accept what the ` +
    `server sends, or correct that in process().`,
  INCOMPLETE_ENTITY: (p) =>
    `${p['entity']} ${p['pk']} still lacks the required ${p['field']} after it was fetched again. Give the field a ` +
    `default of undefined or null if it is optional, or let the server send it.`,
  SCHEMA_ATTRIBUTE_REQUIRED: (p) =>
    `${p['kind']} with a mapping of schemas needs a schemaAttribute: the name of the field that tells them apart, or a function.`,
  ARRAY_SHORTHAND: () =>
    `The array shorthand takes exactly one schema: [S]. For several kinds use new schema.Array(mapping, attribute).`,
  PROVIDER_MISSING: () =>
    `A hook of holdfast/react was called outside a DataProvider. Put <DataProvider> around the application.`,
  REQUEST_CONTROLLER_MISSING: () =>
    `A server rendered a DataProvider without a controller of the request. One that is shared would show what it keeps to ` +
    `everyone: make one per request with createServerRender() of holdfast/react/server, or use the DataProvider of holdfast/next.`,
  ORIGIN_NOT_ALLOWED: (p) =>
    `A request from the server would go to ${p['origin']}, which is not among its \`origins\`. Add it to the list given to ` +
    `createServerRender() if it may be asked; for relative addresses give a \`baseUrl\`.`,
  ORIGIN_INVALID: (p) =>
    `${p['origin']} is no origin. Write scheme, host and port, such as https://api.example.com, and nothing behind them.`,
  BLOCK_OPTION_INVALID: (p) =>
    `The \`${p['option']}\` of a server render has characters that may not stand in an attribute. A nonce is base64, a name has ` +
    `letters, digits, _ and -.`,
  RENDER_OVER: () =>
    `This server render is over, or was used before: each page needs its own. Call createServerRender() inside the request's handler.`,
  STORE_RESET: () =>
    `The store was reset, as a sign-out does, while this request was in flight. Nothing of its response was stored.`,
  SESSION_INVALID: (p) =>
    `${p['from']} gave ${p['found']} where a session belongs: an object with a userId that is a string or a number, or undefined for none.`,
  SESSION_NOT_RENEWED: (p) =>
    `The session could not be renewed: ${p['reason']}. It goes on, and the next request that is refused tries again. If \`refresh\` asks through ` +
    `the controller, it waits for itself: call the endpoint instead.`,
  SESSION_LOCK_BUSY: (p) =>
    `The lock of the session was not free after ${p['waitMs']} ms, so the session is renewed without it. A tab that was frozen during its own ` +
    `renewal may use the same refresh token once more.`,
  QUEUE_INVALID: (p) =>
    `The \`queue\` of ${p['endpoint']} gave ${p['found']}. It gives a string, which is the same for calls that wait for each other, or null for none.`,
  VERSIONS_INCOMPARABLE: (p) =>
    `Two versions of ${p['entity']} cannot be compared by \`${p['field']}\`, so the order of requests decides. Numbers, decimal strings and ISO dates compare.`,
  HEADER_HIDDEN: (p) =>
    `The header ${p['header']} of ${p['origin']} was not there, or this page may not read it: another origin shows only the headers that it ` +
    `exposes. If its server sends ${p['header']}, let it also send \`Access-Control-Expose-Headers: ${p['header']}\`.`,
  HEADER_NOT_ALLOWED: (p) =>
    `A request with the header ${p['header']} to ${p['origin']} got no response. Either the connection broke, or a browser did not send the ` +
    `request, because the server does not allow the header: let it send \`Access-Control-Allow-Headers: ${p['header']}\`.`,
  QUEUE_BLOCKED: (p) =>
    `${p['endpoint']} has waited ten seconds for ${p['waitsFor']}, which names the same row. If it is called inside that one's \`fetch\`, or ` +
    `inside a manager's \`request\`, it waits for itself: give it \`queue: null\`.`,
  MANAGER_MISSING: (p) =>
    `${p['hook']}() needs a ${p['manager']} in the controller's list: \`managers: [new ${p['manager']}(), ...getDefaultManagers()]\`.`,
  WRITE_CONFLICT: (p) =>
    `Another client has changed ${p['entity']} ${p['pk']} since this mutation was called${p['fields'] ? `: ${p['fields']}` : ''}. ` +
    `\`conflicts\` of the error has the values of both. Make the call again, or give HttpSemantics rules: \`merge\`, \`resolve\`.`,
  RESOLUTION_INVALID: (p) =>
    `The conflict of ${p['entity']} ${p['pk']} in \`${p['field']}\` was not resolved: a rule of \`conflicts\` threw, gave a value for a field that is not ` +
    `in conflict, or gave none for a field that is. The error has \`mine\` and \`theirs\`.`,
  MERGE_INVALID: (p) =>
    `\`${p['merge']}\` was given ${p['found']}. \`count\` joins numbers, \`set\` joins arrays; for other fields write a function.`,
  CONFLICT_DECIDED: (p) =>
    `\`take\` or \`cancel\` was called for \`${p['field']}\`, which is decided already, or whose mutation has ended. The call is ignored.`,
  DRAFT_NOT_CREATED: (p) =>
    `This needed the id of ${p['localId']}, whose creation failed or got a response without one. Try the creation again first.`,
  SUBSCRIPTION_NOT_SERVED: (p) =>
    `${p['endpoint']} was subscribed, but no manager serves it. Give the endpoint a pollFrequency, and the controller the manager: ` +
    `import getDefaultManagers and pass \`managers: getDefaultManagers()\`. useLive and useSubscription bring it with them.`,
  NOT_A_MUTATION: (p) =>
    `${p['endpoint']} reads, and useMutation() was given it. Read it with useSuspense() or useDLE(). If the request changes something on the ` +
    `server, say so: sideEffect: true.`,
  FAILURE_UNSEEN: (p) =>
    `${p['endpoint']} failed and nobody was told: ${p['reason']} Its component was removed, or has made a later call. Give that useMutation() an ` +
    `onError, call it in a component that stays, or give the controller a FailedManager with onFailure.`,
  MUTATION_READ: (p) =>
    `${p['endpoint']} is a mutation, and a reading hook or watch() was given it: nothing was sent. Call controller.fetch(${p['endpoint']}, …) in an ` +
    `event handler. If the request changes nothing on the server, say so: sideEffect: false.`,
  STREAM_NOT_OPENED: (p) =>
    `\`connect\` of a StreamManager failed: ${p['reason']} It is tried again after growing pauses, like a connection that is lost.`,
  STREAM_MESSAGE_REFUSED: (p) =>
    `A message of a stream was passed over, because \`receive\` failed: ${p['reason']} The stream goes on.`,
  STATE_UNREADABLE: (p) => `The saved state was dropped: ${p['reason']}. The application starts empty.`,
  INVERSE_WITHOUT_RELATION: (p) =>
    `inverse() of ${p['to']} was given the field ${p['field']} of ${p['entity']}, which does not refer to ${p['to']}. Name a ` +
    `field whose schema is that entity, or an array of it.`,
  LOCAL_FIELD_UNKNOWN: (p) =>
    `local() was given the field ${p['field']}, which the entity of the list does not declare. Correct the name, or declare the ` +
    `field in the class.`,
  LOCAL_LIMIT_INVALID: (p) => `The limit of a local query is ${p['found']}. Pass a positive integer.`,
  LOCAL_WITHOUT_LIST: (p) =>
    `local() or inverse() was given ${p['endpoint']}, whose schema has no Collection of an array. Pass the endpoint of a list.`,
  PICK_FIELD_UNKNOWN: (p) =>
    `pick() was given the field ${p['field']}, which ${p['entity']} does not declare. Correct the name, or give the field an initial ` +
    `value in the class.`,
  PICK_WITHOUT_KEY: (p) =>
    `pick() was not given ${p['field']}, which is part of the primary key of ${p['entity']}. Add it to the names.`,
  COVERED_WITHOUT_ROW: (p) =>
    `useCovered() was given ${p['endpoint']}, whose response is no entity. Pass an endpoint of one row, such as TodoResource.get.`,
  COMPLETE_UNKNOWN: (p) =>
    `The function \`complete\` of the list ${p['path']} threw, or returned ${p['found']} in place of a boolean. Whether the list is ` +
    `whole is not known, so local queries request it again.`,
  LIST_NOT_SENT: (p) =>
    `An object with the string \`${p['member']}\` came where a list belongs${atPath(p)}. An object in place of a list is its values, and a string among them the key ` +
    `of a row. If it says what went wrong, throw an error in process() or parseResponse().`,
  STATE_DAMAGED: (p) =>
    `${p['count']} parts of the saved state are not as they were written, and were dropped: ${p['what']}. The rest stands; what ` +
    `misses one of them is fetched again.`,
  MEMBER_MISSING: (p) =>
    `The response has no member \`${p['member']}\`${atPath(p)}: it reads as undefined, whatever its type says. Let the server send it, or name it in ` +
    `new schema.Object({ … }, { optional: ['${p['member']}'] }), which types it so.`,
  UNMAPPED_SCHEMA: (p) =>
    `No schema is mapped for ${p['attribute']}${atPath(p)}; known: ${p['known']}. The object is kept as it was and no entity is made.`,
  PATH_INVALID: (p) =>
    `The path ${p['path']} cannot be used: ${PATH_REASONS[String(p['reason'])] ?? p['reason']}. Correct the \`path\` option.`,
  PATH_PARAM_MISSING: (p) =>
    `The path ${p['path']} needs the parameter ${p['param']}. Pass it, or make it optional as :${p['param']}?`,
  PATH_PARAM_INVALID: (p) => {
    const isWild = String(p['path']).includes(`*${String(p['param'])}`);
    return (
      `${p['found'] === 'dots' ? 'A dot or a control character' : p['found']} cannot fill ${isWild ? '*' : ':'}${p['param']} in ${p['path']}. Pass ${isWild ? "an array of segments, ['a', 'b'], each " : ''}` +
      `a non-empty string or a finite number; . and .. are refused because they would leave the segment.`
    );
  },
  PARAMS_NOT_OBJECT: (p) =>
    `${p['endpoint']} was called with ${p['found']} where its URL parameters belong. Pass an object: { id: 5 }.`,
  SEARCH_PARAM_INVALID: (p) =>
    `The query parameter ${p['param']} is ${p['found']}, which has no form in a URL. Pass strings, numbers, booleans, dates, arrays or ` +
    `plain objects, or override searchToString().`,
  BODY_NOT_SERIALIZABLE: (p) =>
    `The body given to ${p['endpoint']} (${p['found']}) cannot be written as JSON. Convert it first, or in getRequestInit().`,
  REQUEST_INIT_NOT_AWAITED: (p) =>
    `getRequestInit of ${p['endpoint']} spreads a promise, because its getHeaders is async. Write \`await super.getRequestInit(body)\`.`,
  HEADERS_INVALID: (p) =>
    `A header of ${p['endpoint']} cannot be sent: its name or its value has a character that headers may not have, such as a line break. ` +
    `Correct it in \`requestInit\` or getHeaders().`,
  ENDPOINT_WITHOUT_NAME: () =>
    `An Endpoint around a nameless function needs a name for its keys. Pass { name: '…' }.`,
  COLLECTION_OF_NO_LIST: (p) =>
    `A Collection was made of ${p['found']}. It holds a list: new schema.Collection([Todo]), or of new schema.Array(…) or new schema.Values(…).`,
  ARGUMENT_WITHOUT_ROLE: (p) =>
    `A list of ${p['entity']} with ${p['argument']} became stale again because a row changed, and is read again: ${p['found']}, so only the ` +
    `server knows which rows belong to it. Say what the argument means: argumentRoles: ${p['cure']}${p['rest']}.`,
  WIRE_NAME_TAKEN: (p) =>
    `${p['entity']}.${p['field']} is ${p['wire']} on the wire, and so is ${p['entity']}.${p['other']}. Give one of them another name in wireNames().`,
  WIRE_NAMES_INVALID: (p) =>
    `${p['entity']}.wireNames is not made by wireNames(). Import snakeCase from holdfast and write static wireNames = snakeCase.`,
  ROLES_INVALID: () =>
    `argumentRoles was given an object that byRole() did not make. Write argumentRoles: byRole({ q: 'search' }).`,
  ROLE_SAID_TWICE: (p) =>
    `The argument ${p['name']} has a role in argumentRoles and is named by nonFilterArgumentKeys too. Say it once.`,
  ROLE_TEST_THREW: (p) =>
    `The test of an argument on the field ${p['field']} threw: ${p['reason']}. Lists with this argument are read again instead. Make ` +
    `the test take every value of the field.`,
  ORDER_CONTRADICTED: (p) =>
    `The response for the list ${p['path']} has ${p['first']} before ${p['second']}, against the order declared for it. The server alone ` +
    `orders the list until a response agrees. Compare as the server does: other values, another place for null, its collation.`,
  ORDER_THREW: (p) =>
    `The order declared for the list ${p['path']} threw: ${p['reason']}. The server alone orders the list until a response can be ` +
    `compared. Make the function take every item.`,
  ORDER_UNKNOWN: (p) =>
    `The list ${p['path']} is ordered by ${p['name']}, which is no field of its items. The server alone orders it. Give orderBy() a ` +
    `function for that name.`,
  PAGES_INVALID: (p) =>
    `inPages() wants tokens, { next } or { previous } or both, or else { by: 'number' } or { by: 'offset' }; and a \`most\` of 1 or more, not ${p['most']}.`,
  PAGES_WITHOUT_FIELD: (p) =>
    `${p['endpoint']} has \`pages\` and no \`paginationField\`: name the parameter that asks for a further page.`,
  PAGES_MISSING: (p) =>
    `${p['endpoint']} has no \`pages\`. Say how its pages follow each other: pages: inPages({ next: 'cursor' }).`,
  PAGE_OUTDATED: (p) =>
    `The list of ${p['endpoint']} was read again while a page was requested that no longer follows on it.`,
  PAGE_REPEATED: (p) =>
    `${p['endpoint']} got a token of a page that was met before: ${p['token']}. The list ends there.`,
  PAGES_SHIFTED: (p) =>
    `The rows of ${p['endpoint']} kept shifting from one page to another while they were read. The list is read again later.`,
  COLLECTION_MISSING: (p) =>
    `${p['endpoint']}.${p['member']} needs a Collection in the endpoint's schema. Use new schema.Collection([…]) there.`,
  RESOURCE_WITHOUT_SCHEMA: (p) =>
    `createResource() was given no schema for ${p['path']}: an entity class, or a schema made of some. Without one nothing is stored.`,
  RESOURCE_WITHOUT_PARAMETER: (p) =>
    `The path ${p['path']} has no parameter, so one row and the list have the same address. End it with one, as in /todos/:id, or make a ` +
    `RestEndpoint of your own.`,
  PATH_RELATIVE: (p) =>
    `The path ${p['path']} begins with no slash, so browsers take it as relative to the page that is open. Write /${p['path']}, or ` +
    `give a urlPrefix.`,
  OPTION_UNKNOWN: (p) =>
    `createResource() knows no option ${p['option']}, which it was given for ${p['path']}. Did you mean ${p['meant']}?`,
  SCHEMA_FIELD_UNKNOWN: (p) =>
    `${p['entity']}.schema names ${p['field']}, which is no field of the class. Did you mean ${p['meant']}?`,
  SCHEMA_ASYNC: (p) =>
    `The schema of ${p['of']} is asynchronous, and the store does not wait. Use one without asynchronous checks, and check such things ` +
    `where the data is used.`,
  SCHEMA_THREW: (p) =>
    `The schema of ${p['of']} threw: ${p['reason']}. A schema gives issues for what it refuses. Make it accept every value.`,
  SCHEMA_CHANGED_INPUT: (p) =>
    `The schema of ${p['of']} wrote into the value that it was given. Make it return a new value: in zod with \`transform\`.`,
  RESOURCE_MEMBER_UNKNOWN: (p) =>
    `extend() was given options for ${p['member']}, which is no member of the resource; known: ${p['known']}. ` +
    `To add a member write extend('${p['member']}', options).`,
  FIXTURE_MISSING: (p) =>
    `There is no fixture for ${p['call']}. ${p['nearest'] ? `The nearest one is for ${p['nearest']}` : 'The list of fixtures is empty'}. ` +
    `Add one for this call, or pass unmatched: 'network' to send it.`,
};
