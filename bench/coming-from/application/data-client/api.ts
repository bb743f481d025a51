import {
  createResource,
  Entity,
  Query,
  RestEndpoint,
  schema,
} from '@data-client/rest';

export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  pk(): string {
    return this.id;
  }
  static override key = 'Task';
}

export class LogEntry extends Entity {
  id = '';
  text = '';
  pk(): string {
    return this.id;
  }
  static override key = 'LogEntry';
}

export const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  optimistic: true,
});

const selectTasks = (isDone: boolean) =>
  new Query(TaskResource.getList.schema, (tasks: Task[]) =>
    tasks
      .filter(({ done }) => done === isDone)
      .sort((one, other) => one.title.localeCompare(other.title)),
  );

// a changed field moves no row from list to list: one list is selected from
export const openTasks = selectTasks(false);
export const doneTasks = selectTasks(true);

export const getEvents = new RestEndpoint({
  path: '/api/events',
  schema: { events: new schema.Collection([LogEntry]), next: '' },
  paginationField: 'cursor',
});
