// The browser's half: waits for the first state in the page, then takes the page over.
import { hydrateRoot } from 'react-dom/client';
import { Controller } from 'holdfast';
import { DataProvider, readPage } from 'holdfast/react';
import { App } from './app.tsx';
import { readAddress } from './read-address.ts';

const controller = new Controller({ initialState: await readPage() });
hydrateRoot(
  document,
  <DataProvider controller={controller}>
    <App {...readAddress(new URL(location.href))} />
  </DataProvider>,
);
