// The books of the tutorial, kept in memory. Every response takes 300 ms.
// With --sign-in, only those who signed in may read and write.
import { createServer } from 'node:http';

const titles = [
  ['Middlemarch', 'George Eliot'],
  ['Moby-Dick', 'Herman Melville'],
  ['Beloved', 'Toni Morrison'],
  ['Dubliners', 'James Joyce'],
  ['Emma', 'Jane Austen'],
  ['Kindred', 'Octavia Butler'],
  ['Solaris', 'Stanisław Lem'],
];
const books = new Map(
  titles.map(([title, author], at) => {
    const id = String(at + 1);
    return [id, { id, title, author, finished: false }];
  }),
);
let lastId = titles.length;
const PAGE_SIZE = 3;
const needsSession = process.argv.includes('--sign-in');

function list(page) {
  const all = [...books.values()];
  if (page === null) return all;
  const start = (Number(page) - 1) * PAGE_SIZE;
  return {
    results: all.slice(start, start + PAGE_SIZE),
    total: all.length,
  };
}

/** The status and the body of an answer. */
function answer(method, { pathname, searchParams }, input, token) {
  if (pathname === '/api/session')
    return [201, { userId: input.name, token: `token of ${input.name}` }];
  if (needsSession && !token?.startsWith('Bearer token of '))
    return [401, { detail: 'Sign in first.' }];
  const id = /^\/api\/books\/(\w+)$/.exec(pathname)?.[1];
  if (id === undefined && method === 'GET')
    return [200, list(searchParams.get('page'))];
  if (id === undefined && method === 'POST') {
    if (!input.title) return [422, { errors: { title: 'is missing' } }];
    const book = {
      author: 'unknown',
      ...input,
      id: String(++lastId),
      finished: false,
    };
    books.set(book.id, book);
    return [201, book];
  }
  const book = books.get(id);
  if (!book) return [404, { detail: 'There is no such book.' }];
  if (method === 'PATCH') Object.assign(book, input);
  if (method === 'DELETE') {
    if (!book.finished)
      return [409, { detail: `You have not finished ${book.title}.` }];
    books.delete(id);
  }
  return [200, book];
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const url = new URL(request.url, 'http://localhost');
  const [status, body] = answer(
    request.method,
    url,
    JSON.parse(text || '{}'),
    request.headers.authorization,
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

server.listen(process.env.PORT ?? 3001, () => {
  console.log(
    `books at http://localhost:${server.address().port}/api/books`,
  );
});
