// Leaf entities that are read repeatedly: one that can always be shown, and one whose fields decide whether it can.
import { Entity } from 'holdfast';

export class Tag extends Entity {
  static override key = 'Tag';
  id = '';
  label = '';
}

/** Cannot be shown, or throws, depending on its fields. */
export class Mood extends Entity {
  static override key = 'Mood';
  id = '';
  state = '';
  static override createIfValid(props: object): Mood | undefined {
    const { state } = props as Partial<Mood>; // cast: the fields of a mood
    if (state === 'throws') throw new Error('in a bad mood');
    return state === 'absent' ? undefined : Mood.fromJS(props);
  }
}
