// `npm start`: the API, and Next in front of it.
import { spawn } from 'node:child_process';
import { startApi } from './api.ts';

const api = await startApi();
spawn('next', ['start'], { stdio: 'inherit', env: { ...process.env, API_URL: api.url } }).on(
  'exit',
  (code) => {
    process.exit(code ?? 0);
  },
);
