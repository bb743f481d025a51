// The cards of the races, as Holdfast's board declares them. They have no version: what may win is decided by the library's own rules,
// from the order in which requests were sent and answered.
import { createResource, Entity } from 'holdfast';
import type { Priority, Status } from '../resources/vocabulary.ts';

export class Card extends Entity {
  id = '';
  title = '';
  status: Status = 'todo';
  priority: Priority = 'none';
  // the build shortens the names of classes, and the inspector says this one
  static override key = 'Card';
}

export type CardFields = Partial<Pick<Card, 'title' | 'status' | 'priority'>>;

export const CardResource = createResource({
  path: '/cards/:id',
  schema: Card,
  optimistic: true,
  body: {} as CardFields,
  searchParams: {} as { status: Status },
});

/** The columns of both boards. */
export const COLUMNS = ['todo', 'doing', 'review', 'done'] as const satisfies readonly Status[];
export type Column = (typeof COLUMNS)[number];

/** A card as it travels and as it is shown. */
export type PlainCard = Readonly<Pick<Card, 'id' | 'title' | 'status' | 'priority'>>;
