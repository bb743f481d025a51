// What the visitor has changed, step by step, for Ctrl+Z. A deletion has an offer of its own (undo-offer.tsx), because the server has to
// restore the issue before its comments can be read.
import type { Controller } from 'holdfast';
import { history } from 'holdfast/edit';
import { createContext, useContext } from 'react';
import { IssueResource } from '../resources/issue.ts';

export function recordPast(controller: Controller): history.History {
  const { get, partialUpdate } = IssueResource;
  return history(controller, { resources: [{ get, partialUpdate }] });
}

export const PastContext = createContext<history.History | null>(null);

export function usePast(): history.History {
  const past = useContext(PastContext);
  if (!past) throw new Error('there is no past above this component');
  return past;
}
