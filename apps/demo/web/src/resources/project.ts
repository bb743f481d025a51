// Projects with the number of their issues per status.
import { createResource, Entity } from 'holdfast';
import { DemoEndpoint } from './demo-endpoint.ts';

export class Project extends Entity {
  static override key = 'Project';
  id = '';
  name = '';
  description = '';
  hue = 0;
  counts: Record<string, number> = {};
  override pk(): string {
    return this.id;
  }
}

export const ProjectResource = createResource({
  urlPrefix: '/api',
  path: '/projects/:id',
  schema: Project,
  Endpoint: DemoEndpoint,
  optimistic: true,
});
