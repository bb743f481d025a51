import { DataProvider } from 'holdfast/react';
import { Events } from './load-pages.tsx';
import { TaskList } from './read-list.tsx';

export const App = () => (
  <DataProvider>
    <TaskList />
    <Events />
  </DataProvider>
);
