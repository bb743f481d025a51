import { AsyncBoundary, DataProvider } from 'holdfast/react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

createRoot(document.getElementById('root')!).render(
  <DataProvider>
    <AsyncBoundary fallback={<p>Loading</p>}>
      <App />
    </AsyncBoundary>
  </DataProvider>,
);
