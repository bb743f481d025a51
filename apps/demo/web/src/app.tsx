// The page: the signed-in user decides between the sign-in form and the shell with its panes.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { InspectorButton } from './inspector/inspector-button.tsx';
import { NewIssue } from './issue/new-issue.tsx';
import { KeyboardControl } from './keyboard/keyboard-control.tsx';
import { useNavigation } from './navigation/navigation.tsx';
import { readAddress } from './navigation/read-address.ts';
import { NetworkControl } from './network/network-control.tsx';
import type { User } from './resources/user.ts';
import { Notices } from './saving/notices.tsx';
import { OfflineNote } from './shell/offline-note.tsx';
import { Pane } from './shell/pane.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { SignIn } from './shell/sign-in.tsx';
import { ThemeSwitch } from './shell/theme-switch.tsx';
import { TopHint } from './shell/top-hint.tsx';
import { useMe } from './shell/use-me.ts';
import { Boundary } from './ui/boundary.tsx';
import { LineIcon } from './ui/icons.tsx';

export function App(): ReactNode {
  const user = useMe();
  return (
    <>
      {user ? <Shell user={user} /> : <SignIn />}
      <Notices />
    </>
  );
}

function Shell({ user }: { user: User }): ReactNode {
  const { main, side, isPending } = useNavigation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  // a new issue belongs by default to the project of the view that was opened last
  const projectId = (side && readAddress(side).projectId) || readAddress(main).projectId;
  return (
    <div className={isMenuOpen ? 'shell menu-open' : 'shell'}>
      <a
        href="#content"
        className="skip-link"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('#content')?.focus();
        }}
      >
        Skip to the content
      </a>
      <header className="top-bar">
        <button
          type="button"
          className="icon-button narrow-only"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          <LineIcon name={isMenuOpen ? 'close' : 'menu'} />
        </button>
        <span className="narrow-only brand-small">Harbor</span>
        <TopHint />
        <span className="spacer" />
        <KeyboardControl />
        <InspectorButton />
        <NetworkControl />
        <ThemeSwitch />
        <Boundary name="the form" fallback={<span />}>
          <NewIssue projectId={projectId} />
        </Boundary>
      </header>
      <Sidebar user={user} onNavigate={() => setIsMenuOpen(false)} />
      {isMenuOpen && (
        <button
          type="button"
          className="scrim"
          aria-label="Close the menu"
          onClick={() => setIsMenuOpen(false)}
        />
      )}
      <main
        id="content"
        tabIndex={-1}
        className={side === null ? 'panes' : 'panes split'}
        aria-busy={isPending}
      >
        <OfflineNote />
        <Pane slot="main" user={user} />
        {side !== null && <Pane slot="side" user={user} />}
      </main>
    </div>
  );
}
