// `npm start`: the API and the built page on one port, data in apps/demo/.data.
import { DATABASE_FILE } from './database-file.ts';
import { listen } from './listen.ts';

const port = Number(process.env['PORT'] ?? 4173);
try {
  const { url } = await listen(port, { file: process.env['DEMO_DATABASE'] ?? DATABASE_FILE });
  console.log(`Harbor, the Holdfast demo, runs at ${url}`);
  console.log(
    'Its API is described at /api/openapi.json; `npm run reset -w demo` starts over with fresh data.',
  );
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  console.error(`Port ${port} is taken. Choose another one: PORT=4174 npm start`);
  process.exitCode = 1;
}
