import {
  createResource,
  Entity,
  inPages,
  orderBy,
  RestEndpoint,
  schema,
} from 'holdfast';

export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';
}

export class LogEntry extends Entity {
  id = '';
  text = '';
  static override key = 'LogEntry';
}

export const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  searchParams: {} as { done?: boolean; sort?: string },
  optimistic: true,
}).extend({
  getList: {
    schema: new schema.Collection([Task], { order: orderBy('sort') }),
  },
});

export const getEvents = new RestEndpoint({
  path: '/api/events',
  schema: { events: new schema.Collection([LogEntry]), next: '' },
  paginationField: 'cursor',
  pages: inPages({ next: 'next' }),
});
