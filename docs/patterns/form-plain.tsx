// A form over a stored row, with React alone. Its state is only what was
// typed and not saved yet; all the rest is read from the store, so changes
// of others show while the form is open, and a field that was typed in
// keeps what was typed.
import type { PlainOf } from 'holdfast';
import { useMutation, useSuspense } from 'holdfast/react';
import { useState } from 'react';
import type { Contact } from './contacts.ts';
import { ContactResource, readFieldErrors } from './contacts.ts';

export function ContactForm({ id }: { id: string }) {
  const contact = useSuspense(ContactResource.get, { id });
  const [typed, setTyped] = useState<Partial<PlainOf<Contact>>>({});
  const { mutate, isPending, error } = useMutation(
    ContactResource.partialUpdate,
    {
      // what was typed meanwhile is not saved yet
      onSuccess: (_saved, [, sent]) =>
        setTyped((now) => (now === sent ? {} : now)),
    },
  );

  const {
    name = contact.name,
    email = contact.email,
    address = contact.address,
  } = typed;
  const fieldErrors = readFieldErrors(error);
  const change = (fields: Partial<PlainOf<Contact>>) =>
    setTyped({ ...typed, ...fields });
  return (
    <form
      aria-label="Contact"
      aria-busy={isPending}
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ id }, typed);
      }}
    >
      <input
        aria-label="Name"
        value={name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <input
        aria-label="Email"
        value={email}
        onChange={({ target }) => change({ email: target.value })}
      />
      <input
        aria-label="City"
        value={address.city}
        onChange={({ target }) =>
          change({ address: { ...address, city: target.value } })
        }
      />
      {Object.entries(fieldErrors).map(([field, text]) => (
        <p role="alert" key={field}>{`${field} ${text}`}</p>
      ))}
      {error && Object.keys(fieldErrors).length === 0 && (
        <p role="alert">{error.message}</p>
      )}
      <button disabled={isPending || Object.keys(typed).length === 0}>
        Save
      </button>
      <button type="button" onClick={() => setTyped({})}>
        Discard
      </button>
    </form>
  );
}
