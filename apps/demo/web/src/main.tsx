// The entry of the page: a store above everything, then the application. The requests of the page are sent here, before anything
// renders, so that no request waits for another.
import '@fontsource-variable/inter/wght.css';
import { Controller, getDefaultManagers, isNetworkError, RetryManager } from 'holdfast';
import { DataProvider } from 'holdfast/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { http } from './conflicts/rules.ts';
import { loadInspector } from './inspector/load-inspector.ts';
import { createChangeStream } from './live/change-stream.ts';
import { NavigationProvider, prefetchPlaces } from './navigation/navigation.tsx';
import { prefetchShell } from './navigation/prefetch.ts';
import { restoreConditions } from './network/conditions.ts';
import { bulkManagers } from './resources/bulk.ts';
import { auth, recognise } from './resources/session.ts';
import { failures } from './saving/failures.ts';
import { PastContext, recordPast } from './saving/past.ts';
import './styles/base.css';
import './styles/shell.css';
import './styles/board.css';
import './styles/table.css';
import './styles/issue.css';
import './styles/home.css';
import './styles/xray.css';
import './styles/notices.css';
import './styles/keyboard.css';
import { Loading } from './shell/loading.tsx';
import { Boundary } from './ui/boundary.tsx';

restoreConditions();
const element = document.querySelector('#root');
if (!element) throw new Error('the page has no #root');

// boundaries show failed requests to the visitor; only faults of the page belong in the console
const onCaughtError = (error: unknown): void => {
  if (!isNetworkError(error)) console.error(error);
};
const root = createRoot(element, { onCaughtError });
// the document of the first screen is painted already
const isPainted = element.hasChildNodes();
const loading = <Loading isPainted={isPainted} />;
if (!isPainted) root.render(loading);

// a returning visitor has a session; a first-time visitor got one with the page
const recognised = recognise().catch(() => undefined);
if (!auth.session) await recognised;

const controller = new Controller({
  managers: [
    ...(await loadInspector()),
    failures,
    ...bulkManagers,
    new RetryManager({ count: 2, delayMs: 400 }),
    createChangeStream(),
    http,
    auth,
    ...getDefaultManagers(),
  ],
});
const past = recordPast(controller);
if (auth.session) {
  prefetchShell(controller, auth.session.userId);
  prefetchPlaces(controller);
}

root.render(
  <StrictMode>
    <DataProvider controller={controller}>
      <PastContext value={past}>
        <NavigationProvider>
          <Boundary name="Harbor" fallback={loading}>
            <App />
          </Boundary>
        </NavigationProvider>
      </PastContext>
    </DataProvider>
  </StrictMode>,
);
