/** Somebody whose name or picture is not known. */
export const PERSON = 'M7 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0M20 21a8 8 0 0 0-16 0'

/**
 * A drawing of Lucide (ISC License, Copyright (c) Lucide Icons and Contributors), whose own component would be 1 kB of every page. It says nothing to screen
 * readers: the control it stands on has a name. @param d its strokes, on a square of 24
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
