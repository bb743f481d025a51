// The whole page, for both sides. What stands outside a boundary is in the first part that the server sends; what stands
// inside one follows when its data is there.
import { AsyncBoundary, useMutation, useSuspense } from 'holdfast/react';
import type { ErrorFallbackProps } from 'holdfast/react';
import { ArticleResource, CommentResource, RelatedResource } from './resources.ts';

export interface PageProps {
  /** The article that is shown; undefined for the list alone. */
  readonly articleId: string | undefined;
  /** Whether the page comes whole: then it needs no script to put its parts in place. */
  readonly isWhole: boolean;
}

export function App({ articleId, isWhole }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Magazine</title>
        {!isWhole && (
          <noscript>
            <meta httpEquiv="refresh" content="0;url=?wait" />
          </noscript>
        )}
      </head>
      <body>
        <h1>Magazine</h1>
        <ArticleList />
        {articleId !== undefined && (
          <main>
            <AsyncBoundary fallback={<p>Loading the article</p>} errorComponent={Failure}>
              <ArticleView id={articleId} />
            </AsyncBoundary>
            <AsyncBoundary fallback={<p>Loading the comments</p>} errorComponent={Failure}>
              <Comments articleId={articleId} />
            </AsyncBoundary>
            <AsyncBoundary fallback={<p>Loading what is related</p>} errorComponent={Failure}>
              <Related articleId={articleId} />
            </AsyncBoundary>
          </main>
        )}
      </body>
    </html>
  );
}

function ArticleList() {
  const articles = useSuspense(ArticleResource.getList);
  return (
    <nav aria-label="Articles">
      {articles.map(({ id, title, likes }) => (
        <a key={id} href={`/articles/${id}`}>{`${title} (${likes}) `}</a>
      ))}
    </nav>
  );
}

function ArticleView({ id }: { id: string }) {
  const article = useSuspense(ArticleResource.get, { id });
  const { mutate } = useMutation(ArticleResource.partialUpdate);
  return (
    <article>
      <h2>{article.title}</h2>
      <time>{article.published.toISOString().slice(0, 10)}</time>
      <p>{article.text}</p>
      <button
        onClick={() => mutate({ id }, { likes: article.likes + 1 })}
      >{`Like (${article.likes})`}</button>
    </article>
  );
}

function Comments({ articleId }: { articleId: string }) {
  const comments = useSuspense(CommentResource.getList, { articleId });
  return (
    <ul aria-label="Comments">
      {comments.map(({ id, author, text }) => (
        <li key={id}>{`${author}: ${text}`}</li>
      ))}
    </ul>
  );
}

function Related({ articleId }: { articleId: string }) {
  const articles = useSuspense(RelatedResource.getList, { articleId });
  return <p>{`Related: ${articles.map(({ title }) => title).join(', ')}`}</p>;
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps) {
  const status = 'status' in error ? Number(error.status) : undefined;
  return (
    <p role="alert">
      {`${error.name} ${status ?? ''}: this part could not be loaded. `}
      <button onClick={resetErrorBoundary}>Try again</button>
    </p>
  );
}
