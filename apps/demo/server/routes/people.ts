// The handlers of users and of projects.
import { requireActor, sendJson, sendTagged } from '../operations.ts';
import type { Handler, Services } from '../operations.ts';
import { notFound } from '../problem.ts';
import { listProjects, readProject, readUser, toUser } from '../representation.ts';
import type { ProjectJson, UserJson } from '../representation.ts';

export function createPeopleRoutes({ db, changes, sessions }: Services): Record<string, Handler> {
  const findUser = (id: string | undefined): UserJson => {
    const user = readUser(db, id ?? '');
    if (!user) throw notFound('user', id ?? '');
    return user;
  };
  const findProject = (id: string | undefined): ProjectJson => {
    const project = readProject(db, id ?? '');
    if (!project) throw notFound('project', id ?? '');
    return project;
  };

  return {
    listUsers: ({ context }) => sendTagged(context, db.all('select * from user order by rowid').map(toUser)),
    readUser: ({ context, path }) => sendTagged(context, findUser(path['id'])),

    patchUser({ context, path, body }) {
      requireActor(sessions, context);
      const user = { ...findUser(path['id']), ...(body as Partial<UserJson>) };
      db.transaction(() => {
        db.run('update user set name = ?, role = ? where id = ?', user.name, user.role, user.id);
        changes.record('upsert', 'user', user.id);
      });
      changes.announce();
      return sendJson(user);
    },

    listProjects: ({ context }) => sendTagged(context, listProjects(db)),
    readProject: ({ context, path }) => sendTagged(context, findProject(path['id'])),

    patchProject({ context, path, body }) {
      requireActor(sessions, context);
      const project = { ...findProject(path['id']), ...(body as Partial<ProjectJson>) };
      db.transaction(() => {
        const { id, name, description } = project;
        db.run('update project set name = ?, description = ? where id = ?', name, description, id);
        changes.record('upsert', 'project', id);
      });
      changes.announce();
      return sendJson(project);
    },
  };
}
