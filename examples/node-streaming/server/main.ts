// Starts the magazine: `npm start`, PORT to choose where.
import { listen } from './listen.ts';

const { url } = await listen(Number(process.env['PORT'] ?? 4180));
console.log(`The magazine is at ${url}/articles/1`);
