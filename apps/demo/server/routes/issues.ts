// The handlers of /api/issues. Input is already checked against the OpenAPI document.
import { toIssueRows } from '../flaws.ts';
import { createIssueQuery } from '../issue-query.ts';
import type { BulkRow } from '../issue-store.ts';
import { readConditions } from '../network.ts';
import { requireMatch, requireActor, sendJson, sendTagged } from '../operations.ts';
import type { Handler, Services } from '../operations.ts';
import { readPage } from '../paging.ts';
import type { PageRequest } from '../paging.ts';
import { invalid, notFound, Problem } from '../problem.ts';
import { readIssue, readIssueSummary, readProject, toIssueHit } from '../representation.ts';
import type { IssueFields, IssueJson } from '../representation.ts';
import { createCheck } from '../validate.ts';

interface BulkRequest {
  update?: { id: string; [field: string]: unknown }[];
  delete?: string[];
}

const findFaults = createCheck('IssuePatch');

export function createIssueRoutes({ db, issues, sessions }: Services): Record<string, Handler> {
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
      const results = toIssueRows(rows, readConditions(context).broken);
      // a page that requested broken rows must not get the stored response of one that did not
      const vary = 'accept-encoding, demo-network';
      return sendTagged(context, { results, total, cursor }, link ? { vary, link } : { vary });
    },

    searchIssues({ context, query }) {
      const { limit } = query as unknown as PageRequest; // cast: as above
      const newestFirst = createIssueQuery({ ...query, orderBy: '-updatedAt' });
      const { rows } = readPage(db, newestFirst, { limit }, new URL(context.req.url));
      return sendTagged(context, rows.map(toIssueHit));
    },

    createIssue({ context, body }) {
      const actor = requireActor(sessions, context);
      const id = issues.create(actor, body as { projectId: string; title: string } & Partial<IssueFields>);
      return sendTagged(context, find(id), { location: `/api/issues/${id}` }, 201);
    },

    readIssue: ({ context, path }) => sendTagged(context, find(path['id'] as string)),

    replaceIssue({ context, path, body }) {
      const actor = requireActor(sessions, context);
      const before = find(path['id'] as string);
      requireMatch(context, before);
      issues.replace(actor, before.id, body as { title: string } & Partial<IssueFields>);
      return sendTagged(context, find(before.id));
    },

    patchIssue({ context, path, body }) {
      const actor = requireActor(sessions, context);
      const before = find(path['id'] as string);
      requireMatch(context, before);
      issues.patch(actor, before.id, body as Partial<IssueFields>);
      return sendTagged(context, find(before.id));
    },

    deleteIssue({ context, path }) {
      const actor = requireActor(sessions, context);
      const before = find(path['id'] as string);
      requireMatch(context, before);
      issues.delete(actor, before.id);
      // the present project: one response corrects the counts too
      return sendJson({ ...before, project: readProject(db, before.projectId) });
    },

    restoreIssue({ context, path }) {
      const actor = requireActor(sessions, context);
      const id = path['id'] as string;
      issues.restore(actor, id);
      return sendTagged(context, find(id));
    },

    bulkIssues({ context, body }) {
      const actor = requireActor(sessions, context);
      const { refuse } = readConditions(context);
      const { update = [], delete: deletes = [] } = body as BulkRequest;
      const rows = [
        ...update.map(({ id, ...fields }) => ({
          id,
          fields: fields as Partial<IssueFields>, // cast: a row with faults is refused below
          faults: findFaults(fields),
        })),
        ...deletes.map((id) => ({ id, faults: [] })),
      ].map(({ faults, ...row }, index): BulkRow => {
        const isLocked = refuse > 0 && (index + 1) % refuse === 0;
        if (isLocked) return { ...row, refusal: new Problem(409, 'Somebody else has locked it.') };
        return faults.length > 0 ? { ...row, refusal: invalid(faults) } : row;
      });
      const { updated, deleted, failed, projectIds } = issues.bulk(actor, rows);
      return sendJson({
        updated: updated.flatMap((id) => readIssueSummary(db, id) ?? []),
        deleted: deleted.map((id) => ({ id })),
        failed,
        projects: projectIds.map((id) => readProject(db, id)),
      });
    },
  };
}
