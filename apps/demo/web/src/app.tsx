// The page: who is signed in decides between the sign-in form and the shell with its panes.
import { useSuspense } from 'holdfast/react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { InspectorButton } from './inspector/inspector-button.tsx';
import { NewIssue } from './issue/new-issue.tsx';
import { useNavigation } from './navigation/navigation.tsx';
import { NetworkControl } from './network/network-control.tsx';
import { RaceStage } from './races/race-stage.tsx';
import { readSession } from './resources/user.ts';
import type { User } from './resources/user.ts';
import { FailureBar } from './saving/failure-bar.tsx';
import { Pane } from './shell/pane.tsx';
import { Sidebar } from './shell/sidebar.tsx';
import { SignIn } from './shell/sign-in.tsx';
import { ThemeSwitch } from './shell/theme-switch.tsx';
import { Boundary } from './ui/boundary.tsx';
import { LineIcon } from './ui/icons.tsx';

export function App(): ReactNode {
  const { user } = useSuspense(readSession);
  return (
    <>
      {user ? <Shell user={user} /> : <SignIn />}
      {!user && <RaceStage />}
      <FailureBar />
    </>
  );
}

function Shell({ user }: { user: User }): ReactNode {
  const { main, side, isPending } = useNavigation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const projectId = /\/board\/(\w+)/.exec(main)?.[1];
  return (
    <div className={isMenuOpen ? 'shell menu-open' : 'shell'}>
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
        <p className="top-hint wide-only">
          Edit, drag or delete anything: every view follows. Then make the network bad and try again.
        </p>
        <span className="spacer" />
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
      <main className={side === null ? 'panes' : 'panes split'} aria-busy={isPending}>
        <Pane slot="main" user={user} />
        {side !== null && <Pane slot="side" user={user} />}
      </main>
    </div>
  );
}
