import { SWRConfig } from 'swr';
import { Events } from './load-pages.tsx';
import { TaskList } from './read-list.tsx';
import { request } from './request.ts';

export const App = () => (
  <SWRConfig value={{ fetcher: request }}>
    <TaskList />
    <Events />
  </SWRConfig>
);
