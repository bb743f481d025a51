// The declaration of the resource that every view reads, cut from its file when the page is built.
import type { ReactNode } from 'react';

const [declaration = ''] = Object.values(
  import.meta.glob<string>('../resources/issue.ts', {
    query: '?reading=declaration',
    import: 'default',
    eager: true,
  }),
);

export function Declaration(): ReactNode {
  return (
    <section className="declaration" aria-labelledby="declaration-title">
      <header>
        <h2 id="declaration-title">What every view here reads</h2>
        <span className="spacer" />
        <small>resources/issue.ts</small>
      </header>
      {/* the HTML is from the build */}
      <div dangerouslySetInnerHTML={{ __html: declaration }} />
    </section>
  );
}
