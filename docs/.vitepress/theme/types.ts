// Shows the type of a name in code: while the pointer is over the name, after a tap, and by the arrow keys in a block that has the focus.
// The build has written the types into the page, as `data-type`.

const GAP_PX = 6;

export function followTypes(): void {
  const note = document.createElement('div');
  note.className = 'type-note';
  note.setAttribute('role', 'status');
  note.hidden = true;
  document.body.append(note);
  let shown: Element | null = null;

  const show = (name: Element | null): void => {
    if (name === shown) return;
    shown?.classList.remove('has-note');
    shown = name;
    note.hidden = name === null;
    if (!name) return;
    name.classList.add('has-note');
    note.textContent = name.getAttribute('data-type');
    const at = name.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = note;
    const isAbove = at.top > height + GAP_PX;
    note.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8))}px`;
    note.style.top = `${isAbove ? at.top - height - GAP_PX : at.bottom + GAP_PX}px`;
  };

  document.addEventListener('pointerover', ({ target }) =>
    show(target instanceof Element ? target.closest('[data-type]') : null),
  );
  document.addEventListener('scroll', () => show(null), { capture: true, passive: true });
  document.addEventListener('focusout', () => show(null));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show(null);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const block = document.activeElement;
    // a block that is wider than its place is scrolled by these keys
    if (step === 0 || !block?.matches('pre.code') || block.scrollWidth > block.clientWidth) return;
    const names = [...block.querySelectorAll('[data-type]')];
    const next = names[(shown ? names.indexOf(shown) : step > 0 ? -1 : names.length) + step];
    if (!next) return;
    event.preventDefault();
    show(next);
  });
}
