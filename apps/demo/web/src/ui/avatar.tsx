// A person as a coloured circle with initials. The name is its label, unless it is written beside it.
import type { CSSProperties, ReactNode } from 'react';
import type { User } from '../resources/user.ts';

interface AvatarProps {
  user: User | null | undefined;
  /** True when the name is written next to it anyway. */
  isDecorative?: boolean;
}

export function Avatar({ user, isDecorative = false }: AvatarProps): ReactNode {
  const label = user?.name ?? 'Unassigned';
  const naming = isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  if (!user) return <span className="avatar empty" {...naming} title={label} />;
  const style = { '--hue': user.hue } as CSSProperties; // cast: React's type knows no custom properties
  return (
    <span className="avatar" style={style} title={label} {...naming}>
      {readInitials(user.name)}
    </span>
  );
}

function readInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.charAt(0) ?? '')
    .join('');
}
