import { cleanup, render, screen } from '@testing-library/react';
import { MockResolver } from 'holdfast/testing/react';
import { afterEach, expect, test } from 'vitest';
import { BookList } from './book-list.tsx';
import { BookResource } from './resources.ts';

afterEach(cleanup);

test('a book that the server refuses to remove stays', async () => {
  render(
    <MockResolver
      fixtures={[
        {
          endpoint: BookResource.getList,
          args: [],
          response: {
            results: [{ id: '1', title: 'Emma', author: 'Jane Austen' }],
            total: 1,
          },
        },
        {
          endpoint: BookResource.delete,
          args: [{ id: '1' }],
          response: { status: 409, body: { detail: 'Finish it first.' } },
          error: true,
        },
      ]}
    >
      <BookList onOpen={() => {}} />
    </MockResolver>,
  );
  (await screen.findByRole('button', { name: 'Remove Emma' })).click();

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Finish it first.');
  expect(screen.getByText('1 of 1 books')).toBeTruthy();
});
