// `npm start`: the API and the built page on one port, data in apps/demo/.data. PORT chooses the port; without it, a second demo
// on the machine gets a free port. DEMO_ACCESS_SECONDS sets how soon a session must be renewed.
import { DATABASE_FILE } from './database-file.ts';
import { listen } from './listen.ts';
import type { RunningDemo } from './listen.ts';

const USUAL_PORT = 4173;
const { PORT: port, DEMO_DATABASE: file = DATABASE_FILE, DEMO_ACCESS_SECONDS: seconds } = process.env;
const options = { file, accessSeconds: seconds === undefined ? undefined : Number(seconds) };

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

async function start(): Promise<RunningDemo> {
  if (port !== undefined) return listen(Number(port), options);
  try {
    return await listen(USUAL_PORT, options);
  } catch (error) {
    if (isTaken(error)) return listen(0, options);
    throw error;
  }
}

try {
  const { url } = await start();
  console.log(`Harbor, the Holdfast demo, runs at ${url}`);
  console.log(
    'Its API is described at /api/openapi.json; `npm run reset -w demo` starts over with fresh data.',
  );
} catch (error) {
  if (!isTaken(error)) throw error;
  console.error(`Port ${port} is taken. Choose another one: PORT=4174 npm start`);
  process.exitCode = 1;
}
