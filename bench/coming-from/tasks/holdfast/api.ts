import {
  createResource,
  Entity,
  inPages,
  RestEndpoint,
  schema,
} from 'holdfast';

export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';
}
class LogEntry extends Entity {
  id = '';
  text = '';
  static override key = 'LogEntry';
}

export const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  optimistic: true,
});

export const getEvents = new RestEndpoint({
  path: '/api/events',
  schema: { events: new schema.Collection([LogEntry]), next: '' },
  paginationField: 'cursor',
  pages: inPages({ next: 'next' }),
});
