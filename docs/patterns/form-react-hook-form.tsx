// A form over a stored row with react-hook-form. The form gets a plain
// copy, because it writes into its values; fields that were not typed in
// follow the store, and a save sends only those that were.
import { toPlain } from 'holdfast';
import { useMutation, useSuspense } from 'holdfast/react';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { ContactResource, readFieldErrors } from './contacts.ts';

// No guess: the form shows what was typed by itself, and a guess that is
// taken back would take that with it.
const saveContact = ContactResource.partialUpdate.extend({
  optimistic: false,
});

/** `reset` takes over `resetOptions` unless it is told otherwise. */
const ALL = { keepDirtyValues: false };

export function ContactForm({ id }: { id: string }) {
  // with the React Compiler: after a reset, react-hook-form needs its
  // `register` called in the next render
  'use no memo';
  const contact = useSuspense(ContactResource.get, { id });
  const { mutateAsync } = useMutation(saveContact);
  const values = useMemo(() => toPlain(contact), [contact]);
  const { register, handleSubmit, reset, setError, formState } = useForm({
    values,
    resetOptions: { keepDirtyValues: true },
  });
  const { dirtyFields, errors, isDirty, isSubmitting } = formState;

  const save = handleSubmit(async (input) => {
    const changed = Object.entries(input).filter(
      ([name]) => name in dirtyFields,
    );
    try {
      const saved = await mutateAsync({ id }, Object.fromEntries(changed));
      reset(toPlain(saved), ALL);
    } catch (error) {
      const fieldErrors = Object.entries(readFieldErrors(error));
      for (const [field, message] of fieldErrors)
        setError(field as 'name', { message }); // cast: the server's names
      if (fieldErrors.length === 0)
        setError('root', { message: (error as Error).message });
    }
  });
  return (
    <form
      aria-label="Contact"
      aria-busy={isSubmitting}
      onSubmit={(event) => void save(event)}
    >
      <fieldset disabled={isSubmitting}>
        <input aria-label="Name" {...register('name')} />
        <input aria-label="Email" {...register('email')} />
        <input aria-label="City" {...register('address.city')} />
        {(['name', 'email', 'root'] as const).map(
          (field) =>
            errors[field] && (
              <p
                role="alert"
                key={field}
              >{`${field} ${errors[field].message}`}</p>
            ),
        )}
        <button disabled={!isDirty}>Save</button>
        <button type="button" onClick={() => reset(values, ALL)}>
          Discard
        </button>
      </fieldset>
    </form>
  );
}
