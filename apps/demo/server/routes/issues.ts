// The handlers of /api/issues. Input is already checked against the OpenAPI document.
import { createIssueQuery } from '../issue-query.ts';
import { requireMatch, requireActor, sendJson, sendTagged } from '../operations.ts';
import type { Handler, Services } from '../operations.ts';
import { readPage } from '../paging.ts';
import type { PageRequest } from '../paging.ts';
import { notFound } from '../problem.ts';
import { readIssue, readIssueSummary, readProject, toIssueSummary } from '../representation.ts';
import type { IssueFields, IssueJson } from '../representation.ts';

interface BulkRequest {
  update?: ({ id: string } & Partial<IssueFields>)[];
  delete?: string[];
}

export function createIssueRoutes({ db, issues }: Services): Record<string, Handler> {
  const find = (id: string): IssueJson => {
    const issue = readIssue(db, id);
    if (!issue) throw notFound('issue', id);
    return issue;
  };

  return {
    listIssues({ context, query }) {
      const request = query as unknown as PageRequest; // cast: validated, with limit defaulted
      const page = readPage(db, createIssueQuery(query), request, new URL(context.req.url));
      const { rows, total, cursor, link } = page;
      return sendTagged(context, { results: rows.map(toIssueSummary), total, cursor }, link ? { link } : {});
    },

    createIssue({ context, body }) {
      const actor = requireActor(db, context);
      const id = issues.create(actor, body as { projectId: string; title: string } & Partial<IssueFields>);
      return sendTagged(context, find(id), { location: `/api/issues/${id}` }, 201);
    },

    readIssue: ({ context, path }) => sendTagged(context, find(path['id'] as string)),

    replaceIssue({ context, path, body }) {
      const actor = requireActor(db, context);
      const before = find(path['id'] as string);
      requireMatch(context, before);
      issues.replace(actor, before.id, body as { title: string } & Partial<IssueFields>);
      return sendTagged(context, find(before.id));
    },

    patchIssue({ context, path, body }) {
      const actor = requireActor(db, context);
      const before = find(path['id'] as string);
      requireMatch(context, before);
      issues.patch(actor, before.id, body as Partial<IssueFields>);
      return sendTagged(context, find(before.id));
    },

    deleteIssue({ context, path }) {
      const actor = requireActor(db, context);
      const before = find(path['id'] as string);
      requireMatch(context, before);
      issues.delete(actor, before.id);
      // the project as it is now: one answer corrects the counts too
      return sendJson({ ...before, project: readProject(db, before.projectId) });
    },

    bulkIssues({ context, body }) {
      const actor = requireActor(db, context);
      const { update = [], delete: deletes = [] } = body as BulkRequest;
      const touched = [...update.map((entry) => entry.id), ...deletes];
      const projectIds = new Set(touched.flatMap((id) => readIssueSummary(db, id)?.projectId ?? []));
      issues.bulk(actor, update, deletes);
      return sendJson({
        updated: [...new Set(update.map((entry) => entry.id))].flatMap(
          (id) => readIssueSummary(db, id) ?? [],
        ),
        deleted: deletes.map((id) => ({ id })),
        projects: [...projectIds].map((id) => readProject(db, id)),
      });
    },
  };
}
