// Prints a warning once per owner and subject. This file is part of `#env`, so that production does not ship it.

// The keys are the owners, such as an engine, a manager or a function of the application.
const printed = new WeakMap<object, Set<string>>();

export function printOnce(owner: object, subject: string, text: () => string): void {
  const subjects = printed.get(owner) ?? new Set();
  printed.set(owner, subjects);
  if (subjects.has(subject)) return;
  subjects.add(subject);
  // oxlint-disable-next-line no-console -- a warning of development
  console.warn(text());
}
