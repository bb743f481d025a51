import { errorText } from 'holdfast';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { auth, signIn } from './session.ts';

/** Shows its children to those who signed in, and a form to others. */
export function Account({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(auth.listen, () => auth.session);
  const [name, setName] = useState('');
  const [error, setError] = useState<Error>();
  if (!session)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setError(undefined);
          signIn(name).catch(setError);
        }}
      >
        <label>
          Your name{' '}
          <input
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button>Sign in</button>
        {error && <p role="alert">{errorText(error)}</p>}
      </form>
    );
  return (
    <>
      <p>
        Signed in as {session.userId}{' '}
        <button onClick={() => auth.end()}>Sign out</button>
      </p>
      {children}
    </>
  );
}
