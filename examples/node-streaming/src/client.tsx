// The browser's half: waits for the first state in the page, then takes the page over.
import { hydrateRoot } from 'react-dom/client';
import { DataProvider, readPage } from 'holdfast/react';
import { App } from './app.tsx';
import { readAddress } from './read-address.ts';

const initialState = await readPage();
hydrateRoot(
  document,
  <DataProvider initialState={initialState}>
    <App {...readAddress(new URL(location.href))} />
  </DataProvider>,
);
