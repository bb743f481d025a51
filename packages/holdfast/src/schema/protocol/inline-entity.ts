// An object with no key of its own: it stays where it stood and reads back as an instance.
import { Wrapped } from '../../store/fields.ts';
import type { Fields } from '../../store/nodes.ts';

export class InlineEntity extends Wrapped<Fields> {}
