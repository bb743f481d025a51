import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { version } from 'react';

function Greeting({ name }: { name: string }) {
  const words = ['hello', name];
  return <p>{words.join(' ')}</p>;
}

test('a variant run uses the declared React, compiled if declared so', async () => {
  const variant: unknown = import.meta.env['HOLDFAST_VARIANT'];

  render(<Greeting name="Ada" />);

  expect(await screen.findByText('hello Ada')).toBeTruthy();
  expect(version.split('.')[0]).toBe(variant === 'react-18' ? '18' : '19');
  // compiled components memoize through a cache that the runtime exports under this name
  expect(/\b_c\(|\bcompilerRuntime|\$\[0\]/.test(Greeting.toString())).toBe(variant === 'compiled');
});
