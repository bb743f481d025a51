// Tells React that updates in the browser tests happen inside act(), as Testing Library expects.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
