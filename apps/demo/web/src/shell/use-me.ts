// The signed-in user, as one of the people.
import { useSuspense } from 'holdfast/react';
import { useSyncExternalStore } from 'react';
import { auth } from '../resources/session.ts';
import { UserResource } from '../resources/user.ts';
import type { User } from '../resources/user.ts';

/** Undefined when no user is signed in. */
export function useMe(): User | undefined {
  const session = useSyncExternalStore(auth.listen, () => auth.session);
  const users = useSuspense(UserResource.getList);
  return users.find((user) => user.id === session?.userId);
}
