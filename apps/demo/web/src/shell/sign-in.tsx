// Shown when no user is signed in: choose one. The demo needs no password.
import { useController, useMutation, useSuspense } from 'holdfast/react';
import type { ReactNode } from 'react';
import { prefetchPlaces } from '../navigation/navigation.tsx';
import { prefetchShell } from '../navigation/prefetch.ts';
import { auth, isSessionLost, signIn } from '../resources/session.ts';
import { UserResource } from '../resources/user.ts';
import { Avatar } from '../ui/avatar.tsx';
import { LineIcon } from '../ui/icons.tsx';

export function SignIn(): ReactNode {
  const users = useSuspense(UserResource.getList);
  const controller = useController();
  const { mutate: enter, isPending: isEntering } = useMutation(signIn, {
    onSuccess(visit) {
      if (!visit) return;
      auth.begin(visit);
      prefetchShell(controller, visit.userId);
      prefetchPlaces(controller);
    },
  });
  return (
    <main className="sign-in" aria-busy={isEntering}>
      <LineIcon name="anchor" />
      <h1>Harbor</h1>
      <p>A demo of Holdfast, a library for applications that talk to REST APIs.</p>
      {isSessionLost() && <p role="alert">Your session has ended. What was not saved by then is lost.</p>}
      <p>Who are you today?</p>
      <ul>
        {users.map((user) => (
          <li key={user.id}>
            <button type="button" disabled={isEntering} onClick={() => enter({ userId: user.id })}>
              <Avatar user={user} isDecorative />
              <span>
                <strong>{user.name}</strong>
                <small>{user.role}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}
