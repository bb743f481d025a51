import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createSpace } from './space.ts';

test('browser tests run in a real engine and reach the shared server', async () => {
  const space = createSpace();
  await space.seed('users', [{ id: '1', name: 'Ada' }]);

  const user = (await (await fetch(`${space.url}/users/1`)).json()) as { name: string };
  render(<p>hello {user.name}</p>);

  expect(await screen.findByText('hello Ada')).toBeTruthy();
  expect(navigator.userAgent).toMatch(/Chrom|Firefox|AppleWebKit/);
  expect(await space.requests()).toHaveLength(1);
});
