// The strip below the first screen: the work of the library at this moment. All of its data comes from the inspector; the cards
// and lists count their own renders.
import type { Inspector } from 'holdfast/inspect';
import type { ReactNode } from 'react';
import { useExternalValue } from '../external-value.ts';
import { askForPanel, readInspector } from '../inspector/load-inspector.ts';
import { LineIcon } from '../ui/icons.tsx';
import type { Flight, Queue, Xray } from './read-xray.ts';
import { renders } from './render-count.ts';
import { useXray } from './use-xray.ts';

export function XrayStrip(): ReactNode {
  const inspector = readInspector();
  return (
    <section className="xray" aria-label="X-ray">
      {inspector ? <XrayOf inspector={inspector} /> : <XrayOff />}
    </section>
  );
}

function XrayOff(): ReactNode {
  return (
    <p className="xray-off">
      The X-ray has to see the first request.
      <button type="button" className="button small" onClick={() => window.location.reload()}>
        <LineIcon name="eye" /> Load the page with it
      </button>
    </p>
  );
}

function XrayOf({ inspector }: { inspector: Inspector }): ReactNode {
  const { flights, unchanged, queues, rows, readers } = useXray(inspector);
  return (
    <>
      <Flights flights={flights} unchanged={unchanged} />
      <Queues queues={queues} />
      <Renders />
      <Store rows={rows} readers={readers} />
    </>
  );
}

function Flights({ flights, unchanged }: Pick<Xray, 'flights' | 'unchanged'>): ReactNode {
  return (
    <div className="xray-part flights">
      <h2>
        Requests, and what they touch
        {unchanged > 0 && <span className="flights-unchanged">{unchanged} unchanged, not read</span>}
      </h2>
      <ol>
        {flights.map((flight) => (
          <li key={flight.id} className={`flight is-${flight.outcome}`} title={flight.said}>
            <span className="flight-wire" aria-hidden="true">
              <i />
            </span>
            <span className="flight-name">
              <strong>{flight.name}</strong> {flight.about}
            </span>
            <span className="flight-touched">{flight.touched.join(' · ')}</span>
            <span className="flight-time">{describeEnd(flight)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function describeEnd({ kind, outcome, tookMs }: Flight): string {
  if (kind === 'direct-write') return 'message';
  return outcome === 'counted' ? `${Math.round(tookMs ?? 0)} ms` : outcome.replaceAll('-', ' ');
}

function Queues({ queues }: { queues: readonly Queue[] }): ReactNode {
  return (
    <div className="xray-part queues">
      <h2>Pending writes by queue</h2>
      {queues.length === 0 && <p className="xray-none">All saved.</p>}
      <ul>
        {queues.map((queue) => (
          <li key={queue.name}>
            <span className="queue-name">{queue.name}</span>
            <span className="call">{queue.sent}</span>
            {queue.waiting && <span className="call is-waiting">then {queue.waiting}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Renders(): ReactNode {
  const { last, all } = useExternalValue(renders);
  return (
    <div className="xray-part renders">
      <h2>Renders</h2>
      <p>
        <span>
          <b data-renders-of="card">{last.card}</b> {last.card === 1 ? 'card' : 'cards'}
        </span>{' '}
        <span>
          <b data-renders-of="row">{last.row}</b> {last.row === 1 ? 'row' : 'rows'}
        </span>{' '}
        <span>
          <b data-renders-of="list">{last.list}</b> {last.list === 1 ? 'list' : 'lists'}
        </span>
      </p>
      <small>
        by the last change, {all.card + all.row + all.list} since the start. What renders flashes.
      </small>
    </div>
  );
}

function Store({ rows, readers }: Pick<Xray, 'rows' | 'readers'>): ReactNode {
  const count = rows.reduce((sum, one) => sum + one.count, 0);
  return (
    <div className="xray-part store">
      <h2>Store</h2>
      <p>
        <b>{count.toLocaleString('en')}</b> rows
      </p>
      <small>
        {rows.map((one) => `${one.count} ${one.entity}`).join(', ')}. {readers}{' '}
        {readers === 1 ? 'reader' : 'readers'}.
      </small>
      <button type="button" className="text-link" onClick={() => askForPanel(true)}>
        Open the inspector
      </button>
    </div>
  );
}
