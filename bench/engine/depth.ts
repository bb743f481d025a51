// S2: how deep nested entities and chains of references may be before a contestant fails. A count, not a time.
import type { ChainStore, Contestant } from '../contestants/contestant.ts';
import { countLinks, createNestedChainText, createReferenceChainText } from '../payloads/chain.ts';

export interface DepthResult {
  readonly contestant: string;
  /** Greatest depth tried at which every link came back, for payloads nested in one another and for references. */
  readonly nested: number;
  readonly references: number;
}

const DEPTHS = [10, 50, 65, 100, 500, 1000, 5000, 10_000, 50_000, 100_000];

function survives(create: () => ChainStore, depth: number, kind: 'nested' | 'references'): boolean {
  try {
    const store = create();
    if (kind === 'nested') store.writeNested(JSON.parse(createNestedChainText(depth)));
    else store.writeList(JSON.parse(createReferenceChainText(depth)));
    return countLinks(store.read()) === depth;
  } catch {
    return false; // most end in a RangeError: that is the finding
  }
}

function findDepth(create: () => ChainStore, kind: 'nested' | 'references', limit: number): number {
  let reached = 0;
  for (const depth of DEPTHS) {
    if (depth > limit || !survives(create, depth, kind)) break;
    reached = depth;
  }
  return reached;
}

export function measureDepth(contestants: readonly Contestant[], limit: number): DepthResult[] {
  return contestants.flatMap(({ name, chain }) =>
    chain
      ? [
          {
            contestant: name,
            nested: findDepth(chain, 'nested', limit),
            references: findDepth(chain, 'references', limit),
          },
        ]
      : [],
  );
}
