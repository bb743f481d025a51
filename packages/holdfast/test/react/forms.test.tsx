// The forms of docs/forms.md, run unchanged, against a real server.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { Contact, ContactResource } from '../../../../docs/patterns/contacts.ts';
import { ContactForm as EditForm } from '../../../../docs/patterns/form-edit.tsx';
import { ContactForm as HookForm } from '../../../../docs/patterns/form-react-hook-form.tsx';
import { createSpace } from '../support/space.ts';

afterEach(cleanup);

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const shown = () => ['Name', 'Email', 'City'].map((label) => input(label).value);
const typeInto = (label: string, value: string) =>
  act(async () => fireEvent.change(input(label), { target: { value } }));
const press = (name: string) => act(async () => fireEvent.click(screen.getByText(name)));

/** Presses Save and waits until the call has ended. */
async function save(): Promise<void> {
  await press('Save');
  await waitFor(() => expect(screen.getByRole('form').getAttribute('aria-busy')).toBe('false'));
}
const isClean = () => (screen.getByText('Save') as HTMLButtonElement).disabled;

const Stored = () => <output>{useSuspense(ContactResource.get, { id: '1' }).email}</output>;

async function open(Form: typeof EditForm) {
  const space = createSpace();
  await space.seed('contacts', [{ id: '1', name: 'Ada', email: 'a@x.org', address: { city: 'Oslo' } }]);
  const server = { search: '' };
  const controller = new Controller({
    fetch: (path, init) => fetch(`${space.url}${path}${init?.method === 'PATCH' ? server.search : ''}`, init),
  });
  await act(async () => {
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="loading">
          <Form id="1" />
          <Stored />
        </AsyncBoundary>
      </DataProvider>,
    );
  });
  await screen.findByLabelText('Name');
  return {
    controller,
    server,
    /** Another client changes the row, and this client gets a message. */
    async changeElsewhere(fields: object) {
      const headers = { 'content-type': 'application/json' };
      await fetch(`${space.url}/contacts/1`, { method: 'PATCH', headers, body: JSON.stringify(fields) });
      await act(async () => controller.fetch(ContactResource.get, { id: '1' }));
    },
    bodies: async () =>
      (await space.requests()).filter(({ method }) => method === 'PATCH').map(({ body }) => body),
  };
}

describe.each([
  ['useEdit', EditForm],
  ['react-hook-form', HookForm],
])('a form with %s', (_, Form) => {
  test('typing changes the form and not the store; discarding shows the store', async () => {
    const { controller } = await open(Form);
    const before = controller.get(Contact, { id: '1' });

    await typeInto('Email', 'b@x.org');
    await typeInto('City', 'Bergen');

    expect(shown()).toEqual(['Ada', 'b@x.org', 'Bergen']);
    expect(controller.get(Contact, { id: '1' })).toBe(before);
    expect([before?.email, before?.address]).toEqual(['a@x.org', { city: 'Oslo' }]);

    await press('Discard');
    expect(shown()).toEqual(['Ada', 'a@x.org', 'Oslo']);
  });

  test('a save sends the edited fields, and the form is then clean', async () => {
    const { bodies } = await open(Form);
    await typeInto('Email', 'b@x.org');
    await typeInto('City', 'Bergen');

    await save();

    expect(screen.getByRole('status').textContent).toBe('b@x.org');
    expect(isClean()).toBe(true);
    expect(shown()).toEqual(['Ada', 'b@x.org', 'Bergen']);
    expect(await bodies()).toEqual([{ email: 'b@x.org', address: { city: 'Bergen' } }]);
  });

  test('changes by others are shown in fields that the user has not edited, before and after a save', async () => {
    const { changeElsewhere } = await open(Form);
    await typeInto('Email', 'b@x.org');

    await changeElsewhere({ name: 'Ada L', email: 'c@x.org' });
    expect(shown()).toEqual(['Ada L', 'b@x.org', 'Oslo']);

    await save();
    expect(screen.getByRole('status').textContent).toBe('b@x.org');
    expect(isClean()).toBe(true);
    await changeElsewhere({ email: 'd@x.org' });
    expect(shown()).toEqual(['Ada L', 'd@x.org', 'Oslo']);
  });

  test('a validation error is shown at its field, the typed text stays, and the store is unchanged', async () => {
    const { server, bodies } = await open(Form);
    const problem = encodeURIComponent(JSON.stringify({ errors: { email: 'is taken' } }));
    server.search = `?fail=422&problem=${problem}`;
    await typeInto('Email', 'b@x.org');

    await save();
    expect(screen.getByRole('alert').textContent).toBe('email is taken');
    expect(shown()).toEqual(['Ada', 'b@x.org', 'Oslo']);
    expect(screen.getByRole('status').textContent).toBe('a@x.org');

    server.search = '';
    await save();
    expect(screen.getByRole('status').textContent).toBe('b@x.org');
    expect(screen.queryByRole('alert')).toBe(null);
    expect(await bodies()).toEqual([{ email: 'b@x.org' }, { email: 'b@x.org' }]);
  });

  test('a failure that is about no field is shown, too', async () => {
    const { server } = await open(Form);
    server.search = '?fail=403';
    await typeInto('Email', 'b@x.org');

    await save();

    expect(screen.getByRole('alert').textContent).toContain('403');
    expect(shown()).toEqual(['Ada', 'b@x.org', 'Oslo']);
  });
});
