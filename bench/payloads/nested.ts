// The nested payload: posts with an author, 5 tags and 10 comments that each have an author. 50 authors and
// 30 tags are shared, so one post is 27 entity occurrences and 1,000 posts are 11,080 distinct entities.
import { createRandom, createWords } from './random.ts';

export interface AuthorRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly avatar: string;
}

export interface TagRow {
  readonly id: string;
  readonly label: string;
}

export interface CommentRow {
  readonly id: string;
  readonly body: string;
  readonly createdAt: string;
  readonly author: AuthorRow;
}

export interface PostRow {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly createdAt: string;
  readonly author: AuthorRow;
  readonly tags: readonly TagRow[];
  readonly comments: readonly CommentRow[];
}

export const AUTHORS = 50;
export const TAGS = 30;
export const TAGS_PER_POST = 5;
export const COMMENTS_PER_POST = 10;

/** How many distinct entities `posts` posts hold. */
export function countEntities(posts: number): number {
  return (
    posts * (1 + COMMENTS_PER_POST) + Math.min(AUTHORS, posts * 11) + Math.min(TAGS, posts * TAGS_PER_POST)
  );
}

export function createAuthorRow(index: number): AuthorRow {
  const name = createWords(createRandom(9000 + index), 2);
  return {
    id: `author-${index}`,
    name,
    email: `${name.replace(' ', '.')}.${index}@example.com`,
    avatar: `/avatars/${index}.png`,
  };
}

function createTagRow(index: number): TagRow {
  return { id: `tag-${index}`, label: createWords(createRandom(8000 + index), 1) };
}

function createPostRow(index: number): PostRow {
  const random = createRandom(70_000 + index);
  const firstTag = random(TAGS);
  return {
    id: `post-${index}`,
    title: createWords(random, 5),
    body: createWords(random, 20),
    createdAt: `2026-0${1 + random(9)}-1${random(10)}T08:30:00.000Z`,
    author: createAuthorRow(random(AUTHORS)),
    tags: Array.from({ length: TAGS_PER_POST }, (_, offset) => createTagRow((firstTag + offset * 7) % TAGS)),
    comments: Array.from({ length: COMMENTS_PER_POST }, (_, offset) => ({
      id: `comment-${index}-${offset}`,
      body: createWords(random, 8),
      createdAt: `2026-10-1${random(10)}T09:45:00.000Z`,
      author: createAuthorRow(random(AUTHORS)),
    })),
  };
}

export function createPostRows(count: number): PostRow[] {
  return Array.from({ length: count }, (_, index) => createPostRow(index));
}

/** The author that write number `turn` sends: the authors in turn, always with a new name. */
export function createChangedAuthor(turn: number): AuthorRow {
  return { ...createAuthorRow(turn % AUTHORS), name: `renamed ${turn}` };
}

/** The posts with every occurrence of one author replaced: what any correct store must read back. */
export function replaceAuthor(posts: readonly PostRow[], author: AuthorRow): PostRow[] {
  const swap = (current: AuthorRow) => (current.id === author.id ? author : current);
  return posts.map((post) => ({
    ...post,
    author: swap(post.author),
    comments: post.comments.map((comment) => ({ ...comment, author: swap(comment.author) })),
  }));
}
