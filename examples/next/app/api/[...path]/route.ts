// The browser's way to the API: the same addresses, passed on.
async function passOn(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const body = method === 'GET' ? null : await request.text();
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': 'the browser' };
  const response = await fetch(`${process.env['API_URL']}${pathname}${search}`, { method, body, headers });
  return new Response(response.body, {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
  });
}

export { passOn as DELETE, passOn as GET, passOn as PATCH, passOn as POST, passOn as PUT };
