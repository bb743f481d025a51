// The frame of every page. Reading the nonce makes pages dynamic: each request gets its own.
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from './providers.tsx';
import { TaskList } from './task-list.tsx';

export const metadata = { title: 'Tasks' };

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en">
      <body>
        <Providers nonce={nonce}>
          <h1>Tasks</h1>
          <TaskList />
          {children}
        </Providers>
      </body>
    </html>
  );
}
