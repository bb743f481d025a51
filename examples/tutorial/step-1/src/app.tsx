import { BookDetail } from './book-detail.tsx';

export function App() {
  return <BookDetail id="1" />;
}
