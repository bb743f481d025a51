// Starts the demo on a port over a database file, seeding the file when it is empty. Used by main.ts and by every test that needs
// a real server.
import { serve } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import type { AppOptions } from './app.ts';
import { openDatabase } from './database.ts';
import { isEmpty, seed } from './seed.ts';
import type { SeedOptions } from './seed.ts';

/** Node's default is five seconds. A client that was busy for so long would send a request on a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;

export interface ListenOptions extends AppOptions {
  /** The database file. Default: one in memory, gone with the process. */
  file?: string;
  seed?: SeedOptions;
}

export interface RunningDemo {
  url: string;
  close(): Promise<void>;
}

export async function listen(port: number, options: ListenOptions = {}): Promise<RunningDemo> {
  const db = openDatabase(options.file ?? ':memory:');
  if (isEmpty(db)) seed(db, options.seed);
  const app = createApp(db, options);
  const fetch = app.fetch;
  const { server, address } = await new Promise<{ server: Server; address: AddressInfo }>(
    (resolve, reject) => {
      const server = serve({ fetch, port, hostname: '127.0.0.1' }, (info) =>
        resolve({ server, address: info }),
      ) as Server; // cast: neither TLS nor HTTP/2
      server.keepAliveTimeout = KEEP_ALIVE_MS;
      server.once('error', (error) => {
        db.close();
        reject(error);
      });
    },
  );
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = new Promise<void>((done) => void server.close(() => done()));
      server.closeAllConnections(); // open event streams never end by themselves
      await closed;
      db.close();
    },
  };
}
