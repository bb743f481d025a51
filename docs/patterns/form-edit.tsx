// A form over a stored row. The edit keeps what was typed and not saved
// yet; all the rest is read from the store, so changes of others show
// while the form is open, and a field that was typed in keeps what was
// typed.
import { useEdit } from 'holdfast/edit/react';
import { useSuspense } from 'holdfast/react';
import { ContactResource } from './contacts.ts';

export function ContactForm({ id }: { id: string }) {
  const { address } = useSuspense(ContactResource.get, { id });
  const { field, values, set, state, error, fieldErrors, flush, discard } =
    useEdit(ContactResource.partialUpdate, { id }, { save: 'submit' });
  const { city } = values.address ?? address;
  return (
    <form
      aria-label="Contact"
      aria-busy={state === 'saving'}
      onSubmit={(event) => {
        event.preventDefault();
        flush().catch(() => {}); // the state has the error
      }}
    >
      <input aria-label="Name" {...field('name')} />
      <input aria-label="Email" {...field('email')} />
      <input
        aria-label="City"
        value={city}
        onChange={({ target }) =>
          set({ address: { ...address, city: target.value } })
        }
      />
      {Object.entries(fieldErrors).map(([name, text]) => (
        <p role="alert" key={name}>{`${name} ${text}`}</p>
      ))}
      {error && Object.keys(fieldErrors).length === 0 && (
        <p role="alert">{error.message}</p>
      )}
      <button disabled={state === 'saving' || state === 'clean'}>
        Save
      </button>
      <button type="button" onClick={discard}>
        Discard
      </button>
    </form>
  );
}
