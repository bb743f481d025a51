import { Provider } from 'react-redux';
import { store } from './api.ts';
import { Events } from './load-pages.tsx';
import { TaskList } from './read-list.tsx';

export const App = () => (
  <Provider store={store}>
    <TaskList />
    <Events />
  </Provider>
);
