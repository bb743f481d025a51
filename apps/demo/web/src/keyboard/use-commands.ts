// Everything that the palette can do besides finding an issue.
import { useController, useDLE, useMutation } from 'holdfast/react';
import { askForPanel, panel } from '../inspector/load-inspector.ts';
import { useOpen } from '../navigation/navigation.tsx';
import { chooseConditions, FAULTS, PRESETS, toggleFault } from '../network/conditions.ts';
import { playRace } from '../races/play.ts';
import { RACE_NAMES } from '../races/race-names.ts';
import { IssueResource } from '../resources/issue.ts';
import { ProjectResource } from '../resources/project.ts';
import { leaveSession, signOut } from '../resources/session.ts';
import { chosenTheme } from '../shell/theme-switch.tsx';

export interface Command {
  name: string;
  /** The kind of the command, shown beside it. */
  kind: string;
  run: () => void;
}

/** Presses a control of the page by its label. */
function press(keys: string): void {
  document.querySelector<HTMLElement>(`[aria-keyshortcuts~="${CSS.escape(keys)}"]`)?.click();
}

export function useCommands(): Command[] {
  const open = useOpen();
  const controller = useController();
  const { mutate: leave } = useMutation(signOut, { onSuccess: leaveSession });
  // text typed right after the key is entered into the palette, whatever is loaded already
  const { data: projects = [] } = useDLE(ProjectResource.getList);
  return [
    { name: 'New issue', kind: 'Do', run: () => press('C') },
    { name: 'First look', kind: 'Go to', run: () => open('/', 'main') },
    { name: 'My work', kind: 'Go to', run: () => open('/mine', 'main') },
    { name: 'All issues', kind: 'Go to', run: () => open('/table', 'main') },
    ...projects.flatMap(({ id, name }) => [
      { name: `${name} board`, kind: 'Go to', run: () => open(`/board/${id}`, 'main') },
      { name: `${name} table`, kind: 'Go to', run: () => open(`/table?projectId=${id}`, 'main') },
    ]),
    ...PRESETS.map((preset) => ({
      name: `Network: ${preset.name}`,
      kind: 'Set',
      run: () => chooseConditions(preset),
    })),
    ...FAULTS.map((fault) => ({
      name: fault.name,
      kind: 'Switch',
      run: () => {
        toggleFault(fault);
        controller.expireAll(IssueResource.getList);
      },
    })),
    ...RACE_NAMES.map((race) => ({
      name: `Race: ${race.name}`,
      kind: 'Play',
      run() {
        open('/', 'main');
        void playRace(race);
      },
    })),
    { name: 'Inspector', kind: 'Show', run: () => askForPanel(!panel.read()) },
    ...(['system', 'light', 'dark'] as const).map((theme) => ({
      name: `Theme: ${theme}`,
      kind: 'Set',
      run: () => chosenTheme.write(theme),
    })),
    { name: 'Help on keys', kind: 'Show', run: () => press('?') },
    { name: 'Sign out', kind: 'Do', run: () => leave() },
  ];
}

/** The commands whose name contains every word, in their order. */
export function findCommands(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
