// The icons of the page: drawn on a 16 px grid, coloured by their surroundings, hidden from assistive technology because a text
// is always beside them or labels their button.
import type { ReactNode } from 'react';
import type { Priority, Status } from '../resources/vocabulary.ts';

function Icon({ children, className = '' }: { children: ReactNode; className?: string }): ReactNode {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {children}
    </svg>
  );
}

const PATHS = {
  anchor:
    'M8 4.2v9.3M5 6.8h6M2.6 9.4c0 2.6 2.3 4.3 5.4 4.3s5.4-1.7 5.4-4.3M8 4.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2',
  board: 'M2.5 2.5h3v11h-3zM6.5 2.5h3v7h-3zM10.5 2.5h3v9h-3z',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 6.8h11M5.3 2v2.4M10.7 2v2.4',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  chevron: 'M6 3.5L10.5 8 6 12.5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  comment: 'M2.5 3h11v7.5H7L4 13.2v-2.7H2.5z',
  eye: 'M1.5 8C3.2 5 5.4 3.6 8 3.6S12.8 5 14.5 8c-1.7 3-3.9 4.4-6.5 4.4S3.2 11 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  filter: 'M2 3.5h12M4.5 8h7M6.8 12.5h2.4',
  home: 'M2.5 7.5L8 2.5l5.5 5M4 6.5v7h8v-7',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3 5.6 5.6 0 1 0 13 9.6z',
  play: 'M5.2 3.4l7.2 4.6-7.2 4.6z',
  plus: 'M8 3v10M3 8h10',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2v3.2H9.8',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4L13.5 13.5',
  split: 'M2.5 3h11v10h-11zM8 3v10',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  system: 'M2 3h12v8H2zM6 13.5h4',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 6.3V13',
  trash: 'M3 4.5h10M6.3 4.5V2.8h3.4v1.7M4.3 4.5l.6 8.7h6.2l.6-8.7',
  warning: 'M8 2.3l6.2 11H1.8zM8 6.6v3.2M8 11.6v.2',
  wave: 'M1.5 6c1.6-1.6 3.2-1.6 4.8 0s3.2 1.6 4.8 0 2.3-1.5 3.4-.8M1.5 10.5c1.6-1.6 3.2-1.6 4.8 0s3.2 1.6 4.8 0 2.3-1.5 3.4-.8',
} as const;

export type IconName = keyof typeof PATHS;

export function LineIcon({ name }: { name: IconName }): ReactNode {
  return (
    <Icon className="line">
      <path d={PATHS[name]} />
    </Icon>
  );
}

/** How much of the circle a status fills. */
const FILL: Record<Status, number> = { backlog: 0, todo: 0, doing: 0.5, review: 0.75, done: 1 };

/** A stroke as wide as twice its radius fills the circle to its centre. */
const PIE_RADIUS = 1.8;

export function StatusIcon({ status }: { status: Status }): ReactNode {
  const turn = 2 * Math.PI * PIE_RADIUS;
  return (
    <Icon className={`status-${status}`}>
      <circle
        cx="8"
        cy="8"
        r="6"
        fill={status === 'done' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray={status === 'backlog' ? '2 1.77' : undefined}
      />
      {status === 'done' ? (
        <path d="M5.2 8.2l2 2 3.7-4" fill="none" className="on-status" strokeWidth="1.7" />
      ) : (
        <circle
          cx="8"
          cy="8"
          r={PIE_RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth={PIE_RADIUS * 2}
          strokeDasharray={`${FILL[status] * turn} ${turn}`}
          transform="rotate(-90 8 8)"
        />
      )}
    </Icon>
  );
}

const BARS: Record<Exclude<Priority, 'urgent' | 'none'>, number> = { high: 3, medium: 2, low: 1 };

export function PriorityIcon({ priority }: { priority: Priority }): ReactNode {
  if (priority === 'urgent') {
    return (
      <Icon className="priority-urgent">
        <rect x="1.5" y="1.5" width="13" height="13" rx="3.5" fill="currentColor" />
        <path d="M8 4.4v4.4M8 11.2v.3" className="on-status" strokeWidth="1.9" />
      </Icon>
    );
  }
  if (priority === 'none') {
    return (
      <Icon className="priority-none">
        <path d="M2.5 8h2M7 8h2M11.5 8h2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      </Icon>
    );
  }
  return (
    <Icon className={`priority-${priority}`}>
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={2 + bar * 4.4}
          y={10 - bar * 3.6}
          width="3"
          height={4 + bar * 3.6}
          rx="1"
          fill="currentColor"
          opacity={bar < BARS[priority] ? 1 : 0.25}
        />
      ))}
    </Icon>
  );
}
