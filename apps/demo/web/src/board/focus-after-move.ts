// The id of the card that the keyboard just moved, so that it can take the focus again in its new
// column: a person who moves cards by keys must not be thrown back to the top of the page.
import { createContext } from 'react';
import type { RefObject } from 'react';

export const FocusAfterMove = createContext<RefObject<string | null>>({ current: null });
