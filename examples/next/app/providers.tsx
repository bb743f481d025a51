'use client';
// The one place that knows where the API is: on the server alone, since API_URL is not part of the browser's bundle.
import type { ReactNode } from 'react';
import { DataProvider } from 'holdfast/next';

export function Providers({ children, nonce }: { children: ReactNode; nonce: string | undefined }) {
  return (
    <DataProvider baseUrl={process.env['API_URL']} nonce={nonce}>
      {children}
    </DataProvider>
  );
}
