// The handlers of /api/issues/{issueId}/comments and of the two activity lists.
import { requireActor, sendJson, sendTagged } from '../operations.ts';
import type { Handler, Services } from '../operations.ts';
import { readPage } from '../paging.ts';
import type { PageRequest } from '../paging.ts';
import { notFound } from '../problem.ts';
import {
  readComment,
  readIssueActivity,
  readIssueSummary,
  toActivity,
  toComment,
} from '../representation.ts';
import type { CommentJson, IssueSummaryJson } from '../representation.ts';

export function createCommentRoutes({ db, comments, sessions }: Services): Record<string, Handler> {
  const findIssue = (id: string | undefined): IssueSummaryJson => {
    const issue = readIssueSummary(db, id ?? '');
    if (!issue) throw notFound('issue', id ?? '');
    return issue;
  };
  const find = (path: Readonly<Record<string, string>>): CommentJson => {
    const { issueId = '', id = '' } = path;
    findIssue(issueId);
    const comment = readComment(db, issueId, id);
    if (!comment) throw notFound('comment', id);
    return comment;
  };
  const withIssue = (comment: CommentJson): CommentJson & { issue: IssueSummaryJson } => ({
    ...comment,
    issue: findIssue(comment.issueId),
  });

  return {
    listComments({ context, path }) {
      const issue = findIssue(path['issueId']);
      const rows = db.all('select * from comment where issue_id = ? order by created_at, seq', issue.id);
      return sendTagged(
        context,
        rows.map((row) => toComment(db, row)),
      );
    },

    createComment({ context, path, body }) {
      const author = requireActor(sessions, context);
      const issue = findIssue(path['issueId']);
      const id = comments.add(author, issue.id, (body as { body: string }).body);
      return sendJson(withIssue(find({ issueId: issue.id, id })), 201);
    },

    readComment: ({ context, path }) => sendTagged(context, withIssue(find(path))),

    patchComment({ context, path, body }) {
      requireActor(sessions, context);
      const { issueId, id } = find(path);
      comments.edit(issueId, id, (body as { body: string }).body);
      return sendJson(withIssue(find(path)));
    },

    deleteComment({ context, path }) {
      requireActor(sessions, context);
      const comment = find(path);
      comments.delete(comment.issueId, comment.id);
      return sendJson(withIssue(comment));
    },

    listIssueActivity({ context, path }) {
      return sendTagged(context, readIssueActivity(db, findIssue(path['issueId']).id));
    },

    listActivity({ context, query }) {
      const projectId = query['projectId'];
      const hasProject = typeof projectId === 'string';
      const { rows, total, cursor, link } = readPage(
        db,
        {
          table: 'activity',
          conditions: hasProject ? ['project_id = ?'] : [],
          values: hasProject ? [projectId] : [],
          sortKey: 'seq',
          descending: true,
          orderName: 'newest',
        },
        query as unknown as PageRequest, // cast: validated, with limit defaulted
        new URL(context.req.url),
      );
      const results = rows.map((row) => toActivity(db, row));
      return sendTagged(context, { results, total, cursor }, link ? { link } : {});
    },
  };
}
