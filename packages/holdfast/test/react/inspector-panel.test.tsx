// The component that mounts the inspector's panel: in StrictMode, mounted again, unmounted while the panel loads, and with a response
// that the panel holds back.
import { act, render, screen } from '@testing-library/react';
import { getDefaultManagers } from 'holdfast';
import { inspect } from 'holdfast/inspect';
import { InspectorPanel } from 'holdfast/inspect/react';
import { DataProvider, useDLE } from 'holdfast/react';
import { StrictMode } from 'react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { setup, until } from './harness.tsx';

const hosts = (): Element[] => [...document.querySelectorAll('holdfast-inspector')];

/** The panels that are on screen. */
const shown = (): Element[] =>
  hosts().flatMap((host) => [...(host.shadowRoot?.querySelectorAll('section:not([hidden])') ?? [])]);

/** Lets a panel that is still wanted load: one that is mounted after it has its code by then. */
async function loadPanel(): Promise<void> {
  const other = inspect();
  const probe = render(<InspectorPanel inspector={other} isOpen />);
  await until(() => shown().length > 0, 'a panel is on screen');
  probe.unmount();
}

test('in StrictMode one panel stands at the end of the page, and it goes with its component', async () => {
  const inspector = inspect();
  const { unmount, container } = render(
    <StrictMode>
      <InspectorPanel inspector={inspector} isOpen />
    </StrictMode>,
  );
  await until(() => shown().length > 0, 'the panel is on screen');

  expect(hosts()).toHaveLength(1);
  expect(container.innerHTML).toBe('');
  unmount();
  expect(hosts()).toEqual([]);
});

test('a panel that is mounted again is there once, and the key opens and hides it', async () => {
  const inspector = inspect();
  const panel = <InspectorPanel inspector={inspector} />;
  const { rerender, unmount } = render(panel);
  rerender(<p />);
  rerender(panel);
  const press = (): boolean =>
    document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, shiftKey: true, code: 'KeyH' }));
  press();
  await until(() => shown().length > 0, 'the key has opened the panel');

  expect(hosts()).toHaveLength(1);
  press();
  expect(shown()).toEqual([]);
  unmount();
  press();
  expect(hosts()).toEqual([]);
});

test('a panel whose component is unmounted while it loads never appears', async () => {
  render(<InspectorPanel inspector={inspect()} isOpen />).unmount();
  await loadPanel();
  expect(hosts()).toEqual([]);
});

test('a response that the panel holds back arrives when the component is unmounted', async () => {
  const { gate, TodoResource } = await setup();
  const inspector = inspect();
  const managers = [inspector, ...getDefaultManagers()];
  function Title(): ReactNode {
    const { data } = useDLE(TodoResource.get, { id: '1' });
    return <p>{data?.title ?? 'nothing yet'}</p>;
  }
  const page = (panel: ReactNode, content: ReactNode): ReactNode => (
    <DataProvider managers={managers} fetch={gate.fetch}>
      {panel}
      {content}
    </DataProvider>
  );
  const panel = <InspectorPanel inspector={inspector} isOpen />;
  const { rerender } = render(page(panel, null));
  await until(() => shown().length > 0, 'the panel is on screen');
  const press = [...(shown()[0]?.querySelectorAll('button') ?? [])].find((one) => one.textContent === 'Hold');
  act(() => press?.click());
  await act(async () => rerender(page(panel, <Title />)));
  await until(() => inspector.interference().heldCount === 1, 'the response is held');
  expect(screen.getByText('nothing yet')).toBeTruthy();

  await act(async () => rerender(page(null, <Title />)));
  await screen.findByText('milk');
  expect(hosts()).toEqual([]);
});

test('a picked text that no row has is told as such', async () => {
  const inspector = inspect();
  const { unmount } = render(
    <>
      <p>Nobody knows this</p>
      <InspectorPanel inspector={inspector} isOpen />
    </>,
  );
  await until(() => shown().length > 0, 'the panel is on screen');
  const buttons = [...shown()[0]!.querySelectorAll('button')];
  buttons.find(({ textContent }) => textContent === 'Pick')!.click();
  screen.getByText('Nobody knows this').click();

  expect(shown()[0]!.querySelector('.detail')!.textContent).toContain(
    'Nothing is known of “Nobody knows this”',
  );
  unmount();
});
