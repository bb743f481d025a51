// What the visitor has changed, step by step: for Ctrl+Z, and for the line that offers to undo a deletion.
import type { Controller } from 'holdfast';
import { history } from 'holdfast/edit';
import { createContext, useContext } from 'react';
import { IssueResource } from '../resources/issue.ts';
import { restoreIssue } from '../resources/restore.ts';

export function recordPast(controller: Controller): history.History {
  const { get, partialUpdate, delete: remove } = IssueResource;
  return history(controller, { resources: [{ get, partialUpdate, delete: remove, restore: restoreIssue }] });
}

/** The name of the step that deletes issues. */
export const nameDeletion = (issues: string): string => `${issues} deleted`;

export const isDeletion = (step: string): boolean => step.endsWith(' deleted');

export const PastContext = createContext<history.History | null>(null);

export function usePast(): history.History {
  const past = useContext(PastContext);
  if (!past) throw new Error('there is no past above this component');
  return past;
}
