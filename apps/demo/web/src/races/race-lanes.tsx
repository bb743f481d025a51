// The requests of one board as lanes in time: from left to right, one part for each step of the race. A bar runs from the sending of the
// request to the delivery of its response, with a mark where the server handled it. It is hatched where the race held it.
import type { CSSProperties, ReactNode } from 'react';
import { PRIORITY_NAMES, STATUS_NAMES } from '../resources/vocabulary.ts';
import type { Priority, Status } from '../resources/vocabulary.ts';
import type { Lane, Moment } from './wire.ts';

export function RaceLanes({ lanes, steps }: { lanes: readonly Lane[]; steps: number }): ReactNode {
  const asked = lanes.filter(({ isAsked, method }) => isAsked || method !== 'GET');
  const shown = asked.filter((lane) => lane.isHeld || lane.method !== 'GET' || asked.length <= 4);
  const again = lanes.filter((lane) => !shown.includes(lane));
  const isChanging = again.some(({ effect }) => /appears|disappears|back|now/.test(effect));
  return (
    <div className="lanes" role="group" aria-label="Requests in time">
      <ul>
        {shown.map((lane) => (
          <LaneRow key={lane.id} lane={lane} lanes={lanes} steps={steps} />
        ))}
      </ul>
      <p className="lanes-more">
        {again.length > 0 &&
          `and ${again.length} ${again.length === 1 ? 'column' : 'columns'} read again${isChanging ? '' : ', with nothing new'}`}
      </p>
    </div>
  );
}

function LaneRow({ lane, lanes, steps }: { lane: Lane; lanes: readonly Lane[]; steps: number }): ReactNode {
  const { method, about, sent, handled, ended, isHeld, end, effect } = lane;
  const at = (moment: Moment | undefined): number => placeOf(moment, lanes, steps);
  const style = { '--from': at(sent), '--to': at(ended), '--handled': at(handled) } as CSSProperties;
  const words =
    end === 'open' ? (isHeld && handled ? 'held' : 'under way') : end === 'given up' ? 'given up' : effect;
  const isLoss = end === 'refused' || end === 'given up' || effect === 'does not count';
  const isChange = /appears|back|now “/.test(effect);
  return (
    <li className={`lane is-${end.replace(' ', '-')}`} style={style} data-effect={effect}>
      <span className="lane-name">
        <b>{method}</b> {describe(method, about)}
      </span>
      <span className="lane-track" aria-hidden="true">
        <i className={isHeld ? 'lane-bar is-held' : 'lane-bar'} />
        {handled && <i className="lane-mark" />}
        {ended && <i className={isLoss ? 'lane-end is-loss' : 'lane-end'} />}
      </span>
      <span className={isChange ? 'lane-words is-change' : 'lane-words'}>{words}</span>
    </li>
  );
}

/** The place on the axis, from 0 to 1; the end of the axis for what has not happened. */
function placeOf(moment: Moment | undefined, lanes: readonly Lane[], steps: number): number {
  if (!moment) return 1;
  const of = lanes
    .flatMap(({ sent, handled, ended }) => [sent, handled, ended])
    .flatMap((one) => (one?.step === moment.step ? one.at : []))
    .toSorted((a, b) => a - b);
  return (moment.step - 1 + (of.indexOf(moment.at) + 0.5) / of.length) / steps;
}

function describe(method: string, about: Lane['about']): string {
  const status = STATUS_NAMES[about['status'] as Status]; // cast: undefined for no status
  const priority = PRIORITY_NAMES[about['priority'] as Priority]; // cast: undefined for no priority
  if (method === 'GET') return status ?? 'the card';
  if (method === 'POST') return `“${about['title']}”`;
  return status ? `to ${status}` : priority ? priority.toLowerCase() : 'title';
}
