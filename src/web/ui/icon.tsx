/** A person without a picture. */
export const PERSON = 'M7 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M20 21a8 8 0 0 0-16 0'

/**
 * A Lucide icon (ISC License, Copyright (c) Lucide Icons and Contributors). Lucide's own component would add 1 kB to
 * every page. Hidden from screen readers: the control around it has a name.
 * @param d path data on a 24 x 24 grid
 */
export function Icon({ d, strokeWidth = 2 }: { d: string; strokeWidth?: number }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )
}
