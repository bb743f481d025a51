import { AsyncBoundary, DataProvider } from 'holdfast/react';
import { createRoot } from 'react-dom/client';
import { Account } from './account.tsx';
import { App } from './app.tsx';
import { controller } from './session.ts';

createRoot(document.getElementById('root')!).render(
  <DataProvider controller={controller}>
    <Account>
      <AsyncBoundary fallback={<p>Loading</p>}>
        <App />
      </AsyncBoundary>
    </Account>
  </DataProvider>,
);
