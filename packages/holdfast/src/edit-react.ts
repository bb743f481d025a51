// `holdfast/edit/react`: the hook for inputs that save themselves.
'use client';
export { useEdit } from './addons/edit/use-edit.ts';
