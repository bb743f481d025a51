// The data, declared once for server and browser. Addresses are relative: the browser resolves them against the page, the
// server against the provider's `baseUrl`.
import { createResource, Entity, schema } from 'holdfast';

export class Task extends Entity {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';
}

export const TaskResource = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  body: {} as Partial<Task>,
  optimistic: true,
});

export class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

export const NoteResource = createResource({ path: '/api/tasks/:taskId/notes/:id', schema: Note });
// which tasks block another no field of theirs says: the server alone decides
export const BlockerResource = createResource({
  path: '/api/tasks/:taskId/blockers/:id',
  schema: Task,
}).extend({ getList: { schema: new schema.Collection([Task], { membership: 'server' }) } });
