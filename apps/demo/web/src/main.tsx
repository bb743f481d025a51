// The page's entry: a store above everything, then the application.
import '@fontsource-variable/inter/wght.css';
import { getDefaultManagers, isHttpError, isNetworkError, RetryManager } from 'holdfast';
import type { Manager } from 'holdfast';
import { DataProvider } from 'holdfast/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { loadInspector } from './inspector/load-inspector.ts';
import { createChangeStream } from './live/change-stream.ts';
import { NavigationProvider } from './navigation/navigation.tsx';
import { restoreConditions } from './network/conditions.ts';
import { failures } from './saving/failures.ts';
import './styles/base.css';
import './styles/shell.css';
import './styles/board.css';
import './styles/table.css';
import './styles/issue.css';
import './styles/home.css';
import './styles/xray.css';
import { Boundary } from './ui/boundary.tsx';
import { Skeleton } from './ui/skeleton.tsx';

restoreConditions();
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no #root');

// the page cannot read the cookie of its session: that it is over, a refused change tells
const leaving: Manager = {
  event(event, controller) {
    const isOver = event.type === 'failure' && isHttpError(event.error, 401);
    // later: the failure is still being stored
    if (isOver) queueMicrotask(() => controller.resetEntireStore());
  },
};

// boundaries show failed requests to the visitor; only what is our own fault belongs in the console
const onCaughtError = (error: unknown): void => {
  if (!isNetworkError(error)) console.error(error);
};

const page = createRoot(root, { onCaughtError });
const fallback = <Skeleton label="Harbor" kind="page" count={6} />;
// painted while the inspector is on its way
page.render(fallback);

const managers = [
  ...(await loadInspector()),
  failures,
  new RetryManager({ count: 2, delay: 400 }),
  createChangeStream(),
  leaving,
  ...getDefaultManagers(),
];

page.render(
  <StrictMode>
    <DataProvider managers={managers}>
      <NavigationProvider>
        <Boundary name="Harbor" fallback={fallback}>
          <App />
        </Boundary>
      </NavigationProvider>
    </DataProvider>
  </StrictMode>,
);
