// What a tool is told that wants to know why. A controller has none, or one (`Core.probe`), which changes nothing. Requests and
// answers it sees by standing around `send` and by an engine of its own; what else it wants to know it reads from the nodes.
import type { Fields, Row } from '../../store/nodes.ts';

export interface Probe {
  /** Of a value that came beside the answers, these fields are left aside: this client knows better. */
  leavesAside(row: Row, said: Fields, names: readonly string[]): void;
}
