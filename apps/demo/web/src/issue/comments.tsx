// The conversation about an issue.
import { viewKey } from 'holdfast';
import { useMutation, useSuspense } from 'holdfast/react';
import type { ReactNode } from 'react';
import { CommentResource } from '../resources/comment.ts';
import type { Comment } from '../resources/comment.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { formatAgo, formatFull } from '../ui/dates.ts';
import { EditableText } from '../ui/editable-text.tsx';
import { LineIcon } from '../ui/icons.tsx';

export function Comments({ issueId }: { issueId: string }): ReactNode {
  const comments = useSuspense(CommentResource.getList, { issueId });
  const { mutate: create } = useMutation(CommentResource.getList.push);
  const { mutate: remove } = useMutation(CommentResource.delete);
  const add = (form: FormData): void => {
    const body = String(form.get('body')).trim();
    if (body === '') return;
    create({ issueId }, { body });
  };
  return (
    <section className="comments" aria-label="Comments">
      <h2>
        Comments <span className="count">{comments.length}</span>
      </h2>
      <ol>
        {comments.map((comment) => (
          <CommentItem key={viewKey(comment)} comment={comment} onDelete={remove} />
        ))}
      </ol>
      <form action={add} className="comment-form">
        <textarea
          name="body"
          aria-label="Write a comment"
          placeholder="Write a comment"
          rows={2}
          maxLength={5000}
        />
        <button type="submit" className="button">
          Comment
        </button>
      </form>
    </section>
  );
}

interface CommentItemProps {
  comment: Comment;
  /** Of the list: a comment in deletion is not on screen, so it could not show a failure itself. */
  onDelete: (params: { issueId: string; id: string }) => void;
}

function CommentItem({ comment, onDelete }: CommentItemProps): ReactNode {
  const { id, issueId } = comment;
  const { mutate: edit } = useMutation(CommentResource.partialUpdate);
  const user = useMe();
  // a comment in flight has no author yet: it can only be that of the signed-in user
  const isNew = comment.author === null;
  const author = comment.author ?? user;
  const isOwn = author?.id === user?.id;
  return (
    <li className={isNew ? 'comment is-pending' : 'comment'}>
      <Avatar user={author} isDecorative />
      <div className="comment-head">
        <strong>{author?.name}</strong>
        <time dateTime={comment.createdAt.toISOString()} title={formatFull(comment.createdAt)}>
          {isNew ? 'sending…' : formatAgo(comment.createdAt)}
        </time>
        {isOwn && !isNew && (
          <button
            type="button"
            className="icon-button"
            aria-label="Delete this comment"
            onClick={() => onDelete({ issueId, id })}
          >
            <LineIcon name="trash" />
          </button>
        )}
      </div>
      {isOwn && !isNew ? (
        <EditableText
          className="comment-body"
          label="Your comment"
          isMultiline
          isRequired
          value={comment.body}
          onSave={(body) => edit({ issueId, id }, { body })}
        />
      ) : (
        <p className="comment-body">{comment.body}</p>
      )}
    </li>
  );
}
