// Moving a card is one PATCH: its status, and a rank between those of its new neighbours. The lists that it leaves and enters,
// its place in them and the counts follow from the data.
import type { Controller } from 'holdfast';
import { useController } from 'holdfast/react';
import { createContext, useCallback } from 'react';
import { beginMove } from '../home/move-cost.ts';
import { Issue, IssueResource } from '../resources/issue.ts';
import type { IssueFilter } from '../resources/issue.ts';
import { columnOf } from '../resources/lists.ts';
import type { Status } from '../resources/vocabulary.ts';
import { rankAt } from './rank-at.ts';

/** The new place of a card: before another one, or at the end of the column (null); on top by default. */
export type MoveCard = (id: string, status: Status, before?: string | null) => void;

export function useMoveCard(projectId: string): MoveCard {
  const controller = useController();
  return useCallback<MoveCard>(
    (id, status, before) => {
      const fields = fieldsOfMove(controller, columnOf(projectId, status), id, before);
      if (!fields) return;
      const end = beginMove();
      controller.fetch(IssueResource.partialUpdate, { id }, fields).then(end, end);
    },
    [controller, projectId],
  );
}

/** The body of a move; undefined where the card is already there. */
export function fieldsOfMove(
  controller: Controller,
  column: IssueFilter,
  id: string,
  before?: string | null,
): { status?: Status; rank: string } | undefined {
  const { status } = column;
  const { data } = controller.getResponse(IssueResource.getList, column);
  const all = data?.results ?? [];
  const others = all.filter((issue) => issue.id !== id);
  const at = before === undefined ? 0 : others.findIndex((issue) => issue.id === before);
  // there may be further cards behind the last loaded one: the place before it is the lowest that is known
  const end = data?.cursor && others.length > 0 ? others.length - 1 : others.length;
  const place = at === -1 ? end : at;
  if (before !== undefined && all[place]?.id === id) return undefined;
  const rank = rankAt(others, place);
  const isWithin = before !== undefined && controller.get(Issue, { id })?.status === status;
  // a move within the column omits the status: somebody else may be changing it
  return isWithin || !status ? { rank } : { status, rank };
}

/** The move function of the board, for its cards. */
export const MoveCardContext = createContext<MoveCard>(() => undefined);
